import type { ApiReply } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Answer, Core, Outcome, SandboxRequest, StreamAnswer } from '../../sandbox/index.ts';
import { createCore, settle } from '../../sandbox/index.ts';
import { TimeQueue } from '../../sandbox/time-queue.ts';
import { type ExchangeFrame, exchangeRecord } from '../../schedule/exchange-record.ts';
import { type Draw, drawOf } from '../draw.ts';
import type { World } from '../world/world.ts';
import { Copies } from './copies.ts';
import { followStream } from './following.ts';
import { countingIds } from './ids.ts';
import { Notebook } from './notebook.ts';

/** Fixed, so that a history is always the same. Nothing here is secret. */
export const DIGEST_KEY = Buffer.alloc(32, 7);

export const APPLICATIONS = ['a1', 'a2'].map((label) => ({
  label,
  clientId: `client-${label}`,
  clientSecret: `secret-of-${label}`,
}));

/** A request of a client, with the frame of its record. */
export interface Sending {
  readonly request: SandboxRequest;
  readonly frame: Omit<ExchangeFrame, 'seq' | 'worker' | 'intendedAt' | 'arrival' | 'journey' | 'step' | 'attempt'>;
  /** Number of the attempt; default 1. */
  readonly attempt?: number;
}

/** What a client learns: the record, and the body, which records do not contain. */
export interface Learnt {
  readonly exchange: Exchange;
  readonly body: unknown;
  /** When the client knows it, in run µs. */
  readonly at: number;
}

/**
 * Simulates one service and one network in virtual time. Requests and answers have independent delays. The notebook contains what
 * clients see from run time 0 on.
 */
export class Stage {
  readonly core: Core;
  readonly world: World;
  readonly notebook: Notebook;
  readonly #copies: Copies;
  readonly #draw: Draw;
  readonly #queue = new TimeQueue<() => void>();
  readonly #nextSeq = [0, 0];
  #now = Number.NEGATIVE_INFINITY;

  constructor(world: World) {
    this.world = world;
    this.notebook = new Notebook(world);
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
    const outcome = this.core.answer(request, this.world.clock.tickAt(this.#now));
    if (outcome.kind === 'silence') throw new Error('an honest service without faults was silent');
    return outcome;
  }

  /** Sends a request. @param learnt called when the client knows the result; never if it does not learn it */
  send(sending: Sending, isRecorded: boolean, learnt: (seen: Learnt) => void): void {
    const trip = this.world.network.trip(this.#now);
    const sentAt = this.#now;
    const worker = this.world.workers > 1 ? this.world.draw.random.integer(this.world.workers) : 0;
    const seq = isRecorded ? (this.#nextSeq[worker] as number) : 0;
    if (isRecorded) {
      this.#nextSeq[worker] = seq + 1;
      this.notebook.requestSent(this.#framed(sending, seq, worker, whole(sentAt)), whole(sentAt));
    }
    const { patienceUs } = this.world.network;
    let isOver = false;
    const finish = (reply: ApiReply, body?: unknown) => {
      if (isOver) return;
      isOver = true;
      const frame = this.#framed(sending, seq, worker, reply.sentAt);
      const exchange = exchangeRecord(frame, reply, DIGEST_KEY);
      if (isRecorded) this.notebook.replyReceived(exchange);
      learnt({ exchange, body, at: this.#now });
    };
    const times = () => ({ sentAt: whole(sentAt), receivedAt: whole(this.#now), bytes: NO_BYTES });
    const reset = () => finish({ kind: 'failed', failure: 'ECONNRESET', ...times() });
    const isDecided = trip.fate !== 'lost' && trip.fate !== 'turned-away';
    if (trip.fate === 'lost' || trip.fate === 'reset') this.at(sentAt + trip.noticedUs, reset);
    else if (trip.fate === 'impatient')
      this.at(sentAt + trip.noticedUs, () =>
        finish({
          kind: 'answer',
          status: 504,
          headers: {},
          bodyProblem: 'not-json',
          headersAt: whole(this.#now),
          ...times(),
        }),
      );
    else if (Number.isFinite(patienceUs))
      this.at(sentAt + patienceUs, () => finish({ kind: 'censored', failure: 'deadline', ...times() }));
    this.at(sentAt + trip.thereUs, () => {
      const outcome = isDecided
        ? this.#decided(sending)
        : ({ kind: 'silence', ending: 'stall', decided: false } as const);
      if (trip.fate === 'lost' || trip.fate === 'reset' || trip.fate === 'impatient') return;
      const byGateway = trip.fate !== 'whole';
      if (outcome.kind === 'silence' && !byGateway) return this.#silent(outcome, trip.backUs, reset);
      const held = this.#runSpan(outcome.delivery?.delayUs ?? 0);
      const date = this.world.clock.dates?.textAt(this.#now + held);
      this.at(this.#now + held + trip.backUs, () => {
        const headersAt = whole(this.#now);
        this.at(this.#now + trip.bodyUs, () => {
          const stamps = { ...times(), headersAt };
          if (byGateway || outcome.kind === 'silence')
            return finish({
              kind: 'answer',
              status: trip.gatewayStatus,
              headers: {},
              bodyProblem: 'not-json',
              ...stamps,
            });
          const { status } = outcome;
          const headers = date === undefined ? outcome.headers : { ...outcome.headers, date };
          const body = outcome.kind === 'json' ? outcome.body : undefined;
          finish({ kind: 'answer', status, headers, ...(body !== undefined && { body }), ...stamps }, body);
          if (outcome.kind === 'stream' && isRecorded) this.#follow(outcome, sending.frame.turn?.id ?? '', trip.backUs);
        });
      });
    });
  }

  #decided({ request }: Sending): Outcome {
    const outcome = this.core.answer(request, this.world.clock.tickAt(this.#now));
    const { operation, parameters } = request.route ?? {};
    if (operation !== 'readTurn') return outcome;
    return this.#copies.of(parameters?.turn_id ?? '', outcome, this.#now, () => this.#draw.chance(0.5));
  }

  #follow(stream: StreamAnswer, turn: string, backUs: number): void {
    const most = this.#draw.chance(this.world.habits.broken) ? this.#draw.whole(0, 3) : Number.POSITIVE_INFINITY;
    followStream(this, stream, { turn, backUs, most });
  }

  #silent({ ending }: Extract<Outcome, { kind: 'silence' }>, backUs: number, reset: () => void): void {
    if (ending === 'reset') this.at(this.#now + backUs, reset);
    // A stall ends at the client's deadline; without a deadline, the connection is reset after 60 s.
    else this.at(this.#now + 60e6, reset);
  }

  /** Converts a duration in service time to run µs. */
  #runSpan(serviceUs: number): number {
    return this.world.clock.spanOf(serviceUs);
  }

  #framed({ frame, attempt = 1 }: Sending, seq: number, worker: number, sentAt: Micros): ExchangeFrame {
    const place = { arrival: 0, journey: 'trial', step: seq, attempt, intendedAt: sentAt };
    return { seq, ...(worker > 0 && { worker }), ...place, ...frame };
  }
}

const NO_BYTES = { sent: 0, received: 0 };
/** A time stamp in whole µs, rounded down like those of real clocks. */
export const whole = (t: number) => Math.floor(t) as Micros;
