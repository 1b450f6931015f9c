import { type Random, seededRandom } from '../../base/index.ts';
import type { Exchange, JournalRecord, StreamRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { DayQuota } from './day-quota.exam.ts';
import { type Answer, digestOf, headerOf, recordOf } from './simulated-records.exam.ts';
import { pick, type World } from './worlds.exam.ts';

/**
 * A service with slots and a day quota, its network and its clients, written for these tests alone: an honest service must never
 * be accused, whatever the delays; a defective one must be.
 */

interface ServiceTurn {
  readonly id: string;
  readonly bucket: string;
  status: Status;
  holding: boolean;
  /** The status history: each status with its begin. */
  readonly since: { readonly at: number; readonly status: Status }[];
}

type Status = 'queued' | 'processing' | 'completed' | 'failed';

interface Message {
  readonly id: string;
  readonly token: number;
  readonly conversation: number;
  readonly invalid: boolean;
  readonly content: 'first' | 'other';
}

/** Simulates a world. @returns the journal including header and end */
export function simulate(world: World): JournalRecord[] {
  return new Simulation(world).run();
}

class Simulation {
  readonly #world: World;
  readonly #random: Random;
  readonly #rewrites: Random;
  readonly #renewals: Random;
  readonly #queue: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  readonly #records: JournalRecord[] = [];
  readonly #turns = new Map<string, ServiceTurn>();
  readonly #replies = new Map<string, { readonly content: Message['content']; readonly turn: string }>();
  readonly #days: DayQuota;
  readonly #leaked = new Map<string, number>();
  #now = 0;
  #order = 0;
  #seq = 0;
  #exchanges = 0;

  constructor(world: World) {
    this.#world = world;
    this.#days = new DayQuota(world);
    this.#random = seededRandom(world.seed, 'service');
    this.#rewrites = seededRandom(world.seed, 'rewrites');
    this.#renewals = seededRandom(world.seed, 'renewals');
  }

  run(): JournalRecord[] {
    const { sends } = this.#world;
    for (const [i, at] of sends.entries()) this.#later(at, () => this.#sendNew(i));
    while (this.#queue.length > 0) {
      let next = 0;
      this.#queue.forEach(({ at, order }, i) => {
        const best = this.#queue[next];
        if (best && (at < best.at || (at === best.at && order < best.order))) next = i;
      });
      const [event] = this.#queue.splice(next, 1);
      if (!event) break;
      this.#now = event.at;
      event.run();
    }
    return this.#journal();
  }

  #journal(): JournalRecord[] {
    const { clockKnownUs, seed } = this.#world;
    // Earlier answers may not have told the time.
    const at = Math.round(pick(seededRandom(seed, 'clock'), [0, 0, 0.3, 1]) * this.#now);
    const clock: JournalRecord[] =
      clockKnownUs === undefined
        ? []
        : [
            {
              kind: 'clock',
              at: us(at),
              serviceUs: us(Math.round(this.#serviceTime(at) + (this.#random.next() * 2 - 1) * clockKnownUs)),
              plusMinusUs: us(clockKnownUs),
              rate: 1,
            },
          ];
    const end: JournalRecord = {
      kind: 'end',
      at: us(this.#now),
      arrivals: this.#world.sends.length,
      exchanges: this.#exchanges,
      streams: 0,
      drops: 0,
      complete: true,
    };
    return [headerOf(this.#world), ...clock, ...this.#records, end];
  }

  #later(at: number, run: () => void): void {
    this.#queue.push({ at: Math.round(at), order: this.#order++, run });
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #delay(): number {
    const { delayUs } = this.#world;
    return Math.round(this.#random.next() ** 3 * delayUs);
  }

  #serviceTime(at = this.#now): number {
    const { originUs, driftPpm, drifting } = this.#world;
    return originUs + at * (1 + (driftPpm / 1e6) * drifting);
  }

  #sendNew(i: number): void {
    const { tokens, conversations, invalid } = this.#world;
    const message = {
      id: `m${i}`,
      token: this.#random.integer(tokens),
      conversation: this.#random.integer(conversations),
      invalid: this.#chance(invalid),
      content: 'first' as const,
    };
    this.#send(message, 1, false);
    if (this.#chance(this.#world.resent)) {
      const pause = this.#chance(0.5) ? this.#world.delayUs : this.#world.turnUs * 2;
      this.#later(this.#now + this.#random.next() * pause, () => this.#send(this.#again(message), 1, true));
    }
    if (this.#rewrites.next() < this.#world.rewritten) this.#rewrite(message);
  }

  #rewrite(message: Message): void {
    const { delayUs, turnUs } = this.#world;
    let at = this.#now;
    for (const content of ['other', 'first', 'first'] as const) {
      at += this.#rewrites.next() * (delayUs + turnUs);
      this.#later(at, () => this.#send({ ...this.#again(message), content }, 1, true));
    }
  }

  /** A further attempt at the message: with another token of its user, if tokens are renewed. */
  #again(message: Message): Message {
    return this.#renewals.next() < this.#world.renewed ? { ...message, token: message.token ^ 1 } : message;
  }

  #send(message: Message, attempt: number, resend: boolean): void {
    const labels = {
      ...this.#labels(message.token),
      conversation: `c${message.conversation}`,
      attempt,
      message: { id: message.id, digest: digestOf(`${message.id}${message.content === 'first' ? '' : '*'}`) },
      ...(resend && { resend: message.content === 'first' ? ('same' as const) : ('other' as const) }),
    };
    this.#request(
      'sendMessage',
      labels,
      () => this.#accept(message),
      (answer) => {
        if (answer === undefined && attempt < 3)
          this.#later(this.#now + this.#delay() + 1, () => this.#send(this.#again(message), attempt + 1, false));
        const turn = answer?.status === 202 ? answer.turn : undefined;
        if (turn && !resend) this.#follow(turn.id, message);
      },
    );
  }

  #labels(token: number) {
    // Two tokens per user, two users per application.
    return { application: `a${token >> 2}`, user: `u${token >> 1}`, token: `t${token}` };
  }

  #follow(turn: string, message: Message): void {
    const { followed, streamed } = this.#world;
    if (this.#chance(followed)) this.#later(this.#now + this.#delay(), () => this.#poll(turn, message, 0));
    if (this.#chance(streamed)) this.#listeners.add(turn);
  }

  readonly #listeners = new Set<string>();

  #poll(turn: string, message: Message, count: number): void {
    if (count > 12) return;
    const look = (): Answer => {
      const known = this.#turns.get(turn);
      return known ? { status: 200, turn: { id: turn, status: this.#shown(known) } } : { status: 404 };
    };
    this.#request('readTurn', this.#labels(message.token), look, (answer) => {
      const status = answer?.turn?.status;
      if (status === 'completed' || status === 'failed') return;
      this.#later(this.#now + this.#world.pollUs * (0.5 + this.#random.next()), () =>
        this.#poll(turn, message, count + 1),
      );
    });
  }

  /** What a replica shows: the status of some time ago. */
  #shown({ status, since }: ServiceTurn): Status {
    const { staleUs } = this.#world;
    if (staleUs === 0) return status;
    const at = this.#now - this.#random.integer(staleUs);
    return since.findLast((one) => one.at <= at)?.status ?? 'queued';
  }

  #enter(turn: ServiceTurn, status: Status): void {
    turn.status = status;
    turn.since.push({ at: this.#now, status });
  }

  #request(
    operation: 'sendMessage' | 'readTurn',
    labels: Partial<Exchange>,
    serve: () => Answer,
    done: (answer: Answer | undefined) => void,
  ): void {
    const seq = this.#seq++;
    this.#exchanges += 1;
    const sentAt = this.#now;
    const deadline = 6 * this.#world.delayUs + 1_000;
    const fate = this.#random.next();
    const finish = (answer: Answer | undefined) => {
      this.#records.push(recordOf(operation, labels, seq, sentAt, this.#now, answer, this.#world.codes));
      done(answer);
    };
    const arrive = () => {
      const answer = serve();
      if (fate < this.#world.lost) return;
      this.#later(this.#now + this.#delay(), () => finish(answer));
    };
    const gone = fate < this.#world.lost;
    if (!gone || fate < this.#world.lost / 2)
      this.#later(sentAt + this.#delay() + (gone ? this.#random.integer(3) * this.#world.delayUs : 0), arrive);
    if (gone) this.#later(sentAt + deadline, () => finish(undefined));
  }

  /** The service's decision on a message. */
  #accept(message: Message): Answer {
    const { faults } = this.#world;
    const key = `${message.conversation} ${message.id}`;
    const bucket = this.#bucketOf(message.token);
    const known = this.#replies.get(key);
    if (message.invalid) {
      if (faults.invalidCharged) this.#days.charge(bucket, message.token, this.#serviceTime());
      if (faults.invalidLeaks) this.#leaked.set(bucket, (this.#leaked.get(bucket) ?? 0) + 1);
      return { status: 422 };
    }
    if (known?.content === message.content) {
      if (faults.replayCharged) this.#days.charge(bucket, message.token, this.#serviceTime());
      return { status: 202, turn: { id: known.turn, status: 'queued' } };
    }
    if (!this.#days.hasRoom(bucket, message.token, this.#serviceTime()))
      return { status: 429, code: 'daily_quota_exceeded' };
    if (this.#held(bucket) >= this.#world.slots + (faults.extraSlots ?? 0))
      return { status: 429, code: 'concurrency_limited' };
    this.#days.charge(bucket, message.token, this.#serviceTime());
    const turn: ServiceTurn = {
      id: `turn-${key}${known ? ` ${this.#turns.size}` : ''}`,
      bucket,
      status: 'queued',
      holding: this.#world.slot === 'accepted-to-finished',
      since: [],
    };
    this.#turns.set(turn.id, turn);
    this.#replies.set(key, { content: message.content, turn: turn.id });
    this.#later(this.#now + this.#random.next() * this.#world.turnUs * 0.4, () => this.#begin(turn));
    return { status: 202, turn: { id: turn.id, status: 'queued' } };
  }

  #bucketOf(token: number): string {
    return this.#labels(token)[this.#world.scope];
  }

  #held(bucket: string): number {
    const held = [...this.#turns.values()].filter((turn) => turn.bucket === bucket && turn.holding).length;
    return held + (this.#leaked.get(bucket) ?? 0);
  }

  #begin(turn: ServiceTurn): void {
    const { slot, slots, faults } = this.#world;
    if (slot === 'processing-only') {
      if (this.#held(turn.bucket) >= slots + (faults.extraSlots ?? 0)) {
        this.#later(this.#now + 1 + this.#random.integer(50_000), () => this.#begin(turn));
        return;
      }
      turn.holding = true;
    }
    this.#enter(turn, 'processing');
    this.#tell(turn, 'status', 'processing');
    this.#later(this.#now + 1 + this.#random.next() * this.#world.turnUs, () => this.#finish(turn));
  }

  #finish(turn: ServiceTurn): void {
    const { graceUs, failing, faults } = this.#world;
    this.#enter(turn, this.#chance(failing) ? 'failed' : 'completed');
    this.#tell(turn, turn.status === 'failed' ? 'failed' : 'completed');
    if (turn.status === 'failed' && faults.failedLeaks) return;
    const late = faults.lateUs === undefined ? this.#random.next() * graceUs : graceUs + faults.lateUs;
    this.#later(this.#now + Math.floor(late), () => {
      turn.holding = false;
    });
    if (late < 1) turn.holding = false;
  }

  #tell(turn: ServiceTurn, event: StreamRecord['event'], status?: string): void {
    if (!this.#listeners.has(turn.id)) return;
    this.#later(this.#now + this.#delay(), () =>
      this.#records.push({
        kind: 'stream',
        turn: turn.id,
        event,
        at: us(this.#now),
        ...(status !== undefined && { status }),
      }),
    );
  }
}
