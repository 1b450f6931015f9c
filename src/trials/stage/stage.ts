import { type Micros, TimeQueue } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Answer, Core, Outcome, SandboxRequest, StreamAnswer } from '../../sandbox/index.ts';
import { createCore, settle } from '../../sandbox/index.ts';

import { type ExchangeFrame, exchangeRecord } from '../../schedule/exchanges/exchange-record.ts';
import { type Draw, drawOf } from '../draw.ts';
import type { Trip } from '../world/network.ts';
import { Decisions } from '../world/nodes.ts';
import type { World } from '../world/world.ts';
import { Copies } from './copies.ts';
import { type Ending, gatewayAnswer, RESET } from './endings.ts';
import { followStream } from './following.ts';
import { countingIds } from './ids.ts';
import { Notebook, whole } from './notebook.ts';
import type { Asker } from './person.ts';

/** Fixed, so that a history is always the same. Nothing here is secret. */
export const DIGEST_KEY = Buffer.alloc(32, 7);

export const APPLICATIONS = ['a1', 'a2'].map((label) => ({
  label,
  clientId: `client-${label}`,
  clientSecret: `secret-of-${label}`,
}));

/** A request of a client, with the frame of its record. */
export interface Composed {
  readonly request: SandboxRequest;
  readonly frame: Omit<ExchangeFrame, 'seq' | 'worker' | 'intendedAt' | 'arrival' | 'journey' | 'step' | 'attempt'>;
}

/** One attempt to send it. */
export interface Sending extends Composed, Asker {
  /** From 1. */
  readonly attempt: number;
}

/** What a client learns: the record, and the body, which records do not contain. */
export interface Learnt {
  readonly exchange: Exchange;
  readonly body: unknown;
  /** When the client knows it, in run µs. */
  readonly at: number;
}

/** A request on its way. */
interface Sent {
  readonly sending: Sending;
  readonly trip: Trip;
  /** Run µs, with fractions. */
  readonly at: number;
  /** Ends it now. Only the first end counts. */
  readonly end: (ending: Ending, body?: unknown) => void;
}

/**
 * Simulates one service and one network in virtual time. Requests and answers have independent delays. The notebook contains what
 * clients see from run time 0 on.
 */
export class Stage {
  readonly core: Core;
  readonly world: World;
  readonly notebook: Notebook;
  readonly decisions: Decisions;
  readonly #copies: Copies;
  readonly #draw: Draw;
  readonly #queue = new TimeQueue<() => void>();
  readonly #nextSeq = [0, 0];
  #now = Number.NEGATIVE_INFINITY;

  constructor(world: World) {
    this.world = world;
    this.notebook = new Notebook(world);
    this.decisions = new Decisions(world.scene, world.clock);
    this.#copies = new Copies(world.habits.staleUs);
    this.#draw = drawOf(world.scene, 'stage');
    const config = settle({ ...world.service.settings, applications: APPLICATIONS.map(({ label }) => ({ label })) });
    this.core = createCore({ config, applications: APPLICATIONS, ids: countingIds(world.scene, 1) });
  }

  /** Current run time in µs, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Schedules an action. @param t run time in µs; past times mean now */
  at(t: number, act: () => void): void {
    this.#queue.push(Math.max(t, this.#now) as Micros, act);
  }

  /** Runs all scheduled actions. @returns the end of the run in whole µs */
  run(): Micros {
    while (this.#queue.size > 0) {
      this.#now = this.#queue.next;
      this.#queue.pop()?.();
    }
    return Math.ceil(Math.max(0, this.#now)) as Micros;
  }

  /** Sends a request without network and record, to prepare users. */
  ask(request: SandboxRequest): Answer {
    const outcome = this.core.answer(request, this.decisions.at(this.#now));
    if (outcome.kind === 'silence') throw new Error('an honest service without faults was silent');
    return outcome;
  }

  /** Sends a request. @param learnt called when the client knows the result; never if it does not learn it */
  send(sending: Sending, learnt: (seen: Learnt) => void): void {
    const trip = this.world.network.trip(this.#now);
    const sent = this.#sent(sending, trip, learnt);
    this.#endOtherwise(sent);
    this.at(sent.at + trip.thereUs, () => this.#arrive(sent));
  }

  #sent(sending: Sending, trip: Trip, learnt: (seen: Learnt) => void): Sent {
    const { isRecorded } = sending;
    const at = this.#now;
    const sentAt = whole(at);
    const worker = this.world.workers > 1 ? this.world.draw.random.integer(this.world.workers) : 0;
    const seq = isRecorded ? (this.#nextSeq[worker] as number) : 0;
    const frame = this.#framed(sending, seq, worker, sentAt);
    if (isRecorded) {
      this.#nextSeq[worker] = seq + 1;
      this.notebook.requestSent(frame, sentAt);
    }
    let isOver = false;
    const end = (ending: Ending, body?: unknown) => {
      if (isOver) return;
      isOver = true;
      const reply = { ...ending, sentAt, receivedAt: whole(this.#now), bytes: NO_BYTES };
      const exchange = exchangeRecord(frame, reply, DIGEST_KEY);
      if (isRecorded) this.notebook.replyReceived(exchange);
      learnt({ exchange, body, at: this.#now });
    };
    return { sending, trip, at, end };
  }

  /** Ends the request without an answer of the service: by a reset, an impatient gateway or the client's deadline. */
  #endOtherwise({ trip: { fate, noticedUs }, at, end }: Sent): void {
    const { patienceUs } = this.world.network;
    if (fate === 'lost' || fate === 'reset') this.at(at + noticedUs, () => end(RESET));
    else if (fate === 'impatient') this.at(at + noticedUs, () => end(gatewayAnswer(504, whole(this.#now))));
    else if (Number.isFinite(patienceUs))
      this.at(at + patienceUs, () => end({ kind: 'censored', failure: 'deadline' }));
  }

  /** The request arrives at the service, or where it is turned away. */
  #arrive(sent: Sent): void {
    const { fate, backUs, bodyUs, gatewayStatus } = sent.trip;
    const isSecond = this.decisions.isSecond();
    const outcome = fate === 'lost' || fate === 'turned-away' ? UNDECIDED : this.#decided(sent.sending, isSecond);
    if (fate === 'lost' || fate === 'reset' || fate === 'impatient') return;
    const byGateway = fate !== 'whole';
    if (outcome.kind === 'silence' && !byGateway) return this.#silent(outcome, sent);
    const held = this.world.clock.spanOf(outcome.delivery?.delayUs ?? 0);
    const date = this.world.clock.dates?.textAt(this.#now + held, isSecond);
    this.at(this.#now + held + backUs, () => {
      const headersAt = whole(this.#now);
      this.at(this.#now + bodyUs, () => {
        if (byGateway || outcome.kind === 'silence') sent.end(gatewayAnswer(gatewayStatus, headersAt));
        else this.#answer(sent, outcome, headersAt, date);
      });
    });
  }

  #answer({ sending, trip, end }: Sent, answer: Answer, headersAt: Micros, date: string | undefined): void {
    const { status } = answer;
    const headers = date === undefined ? answer.headers : { ...answer.headers, date };
    const body = answer.kind === 'json' ? answer.body : undefined;
    end({ kind: 'answer', status, headers, headersAt, ...(body !== undefined && { body }) }, body);
    if (answer.kind === 'stream' && sending.isRecorded) this.#follow(answer, sending.frame.turn?.id ?? '', trip.backUs);
  }

  #decided({ request }: Sending, isSecond: boolean): Outcome {
    const outcome = this.core.answer(request, this.decisions.at(this.#now, isSecond));
    const { operation, parameters } = request.route ?? {};
    if (operation !== 'readTurn') return outcome;
    return this.#copies.of(parameters?.turn_id ?? '', outcome, this.#now, () => this.#draw.chance(0.5));
  }

  #follow(stream: StreamAnswer, turn: string, backUs: number): void {
    const most = this.#draw.chance(this.world.habits.broken) ? this.#draw.whole(0, 3) : Number.POSITIVE_INFINITY;
    followStream(this, stream, { turn, backUs, most });
  }

  #silent({ ending }: Extract<Outcome, { kind: 'silence' }>, { trip, end }: Sent): void {
    // A stall ends at the client's deadline; without a deadline, the connection is reset after 60 s.
    this.at(this.#now + (ending === 'reset' ? trip.backUs : 60e6), () => end(RESET));
  }

  #framed({ frame, attempt }: Sending, seq: number, worker: number, sentAt: Micros): ExchangeFrame {
    const place = { arrival: 0, journey: 'trial', step: seq, attempt, intendedAt: sentAt };
    return { seq, ...(worker > 0 && { worker }), ...place, ...frame };
  }
}

const NO_BYTES = { sent: 0, received: 0 };
const UNDECIDED: Outcome = { kind: 'silence', ending: 'stall', decided: false };
