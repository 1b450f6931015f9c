import { type Random, seededRandom } from '../../base/index.ts';
import type { StreamRecord } from '../../history/index.ts';
import type { Phase } from '../../testing/history/own-words.ts';
import { DayQuota } from './day-quota.exam.ts';
import type { Answer } from './simulated-records.exam.ts';
import type { SimulatedTime } from './simulated-time.exam.ts';
import type { World } from './worlds.exam.ts';

interface ServiceTurn {
  readonly id: string;
  readonly bucket: string;
  status: Phase;
  holding: boolean;
  /** The status history: each status with its begin. */
  readonly since: { readonly at: number; readonly status: Phase }[];
}

export interface Message {
  readonly id: string;
  readonly token: number;
  readonly conversation: number;
  readonly invalid: boolean;
  readonly content: 'first' | 'other';
}

/** So long are turns in process, and wait again, that polls of every tenth of a second see it. */
const LONG_ENOUGH_US = 600_000;

/** Two tokens per user, two users per application. */
export const labelsOf = (token: number) => ({
  application: `a${token >> 2}`,
  user: `u${token >> 1}`,
  token: `t${token}`,
});

/** Told of every change of a turn. */
export type Listener = (turn: string, event: StreamRecord['event'], status?: string) => void;

/** A service with slots and a day quota. */
export class SlotService {
  readonly #world: World;
  readonly #time: SimulatedTime;
  readonly #tell: Listener;
  readonly #days: DayQuota;
  readonly #requeues: Random;
  readonly #turns = new Map<string, ServiceTurn>();
  readonly #replies = new Map<string, { readonly content: Message['content']; readonly turn: string }>();
  readonly #leaked = new Map<string, number>();

  constructor(world: World, time: SimulatedTime, tell: Listener) {
    this.#world = world;
    this.#time = time;
    this.#tell = tell;
    this.#days = new DayQuota(world);
    this.#requeues = seededRandom(world.seed, 'requeues');
  }

  /** The service's decision on a message. */
  accept(message: Message): Answer {
    const { faults } = this.#world;
    const now = this.#time.onServiceClock();
    const key = `${message.conversation} ${message.id}`;
    const bucket = labelsOf(message.token)[this.#world.scope];
    const known = this.#replies.get(key);
    if (message.invalid) {
      if (faults.invalidCharged) this.#days.charge(bucket, message.token, now);
      if (faults.invalidLeaks) this.#leaked.set(bucket, (this.#leaked.get(bucket) ?? 0) + 1);
      return { status: 422 };
    }
    if (known?.content === message.content) {
      if (faults.replayCharged) this.#days.charge(bucket, message.token, now);
      return { status: 202, turn: { id: known.turn, status: 'queued' } };
    }
    if (!this.#days.hasRoom(bucket, message.token, now)) return { status: 429, code: 'daily_quota_exceeded' };
    if (!this.#hasSlot(bucket)) return { status: 429, code: 'concurrency_limited' };
    this.#days.charge(bucket, message.token, now);
    const id = `turn-${key}${known ? ` ${this.#turns.size}` : ''}`;
    this.#replies.set(key, { content: message.content, turn: id });
    this.#queue(id, bucket);
    return { status: 202, turn: { id, status: 'queued' } };
  }

  look(turn: string): Answer {
    const known = this.#turns.get(turn);
    return known ? { status: 200, turn: { id: turn, status: this.#shown(known) } } : { status: 404 };
  }

  /** What a replica shows: the status of some time ago. */
  #shown({ status, since }: ServiceTurn): Phase {
    const { staleUs } = this.#world;
    if (staleUs === 0) return status;
    const at = this.#time.now - this.#time.random.integer(staleUs);
    return since.findLast((one) => one.at <= at)?.status ?? 'queued';
  }

  #hasSlot(bucket: string): boolean {
    const held = [...this.#turns.values()].filter((turn) => turn.bucket === bucket && turn.holding).length;
    return held + (this.#leaked.get(bucket) ?? 0) < this.#world.slots + (this.#world.faults.extraSlots ?? 0);
  }

  #queue(id: string, bucket: string): void {
    const holding = this.#world.slot === 'accepted-to-finished';
    const turn: ServiceTurn = { id, bucket, status: 'queued', holding, since: [] };
    this.#turns.set(id, turn);
    this.#time.later(this.#time.now + this.#time.random.next() * this.#world.turnUs * 0.4, () => this.#begin(turn));
  }

  #begin(turn: ServiceTurn): void {
    const { slot, turnUs, requeued } = this.#world;
    if (slot === 'processing-only') {
      if (!this.#hasSlot(turn.bucket)) {
        this.#time.later(this.#time.now + 1 + this.#time.random.integer(50_000), () => this.#begin(turn));
        return;
      }
      turn.holding = true;
    }
    this.#enter(turn, 'processing');
    this.#tell(turn.id, 'status', 'processing');
    const isRequeued = this.#requeues.next() < requeued;
    const least = isRequeued ? LONG_ENOUGH_US : 1;
    this.#time.later(this.#time.now + least + this.#time.random.next() * turnUs, () =>
      isRequeued ? this.#requeue(turn) : this.#finalize(turn),
    );
  }

  #requeue(turn: ServiceTurn): void {
    const { slot, turnUs } = this.#world;
    if (slot === 'processing-only') turn.holding = false;
    this.#enter(turn, 'again');
    this.#tell(turn.id, 'status', 'again');
    this.#time.later(this.#time.now + LONG_ENOUGH_US + this.#requeues.next() * turnUs, () => this.#begin(turn));
  }

  #finalize(turn: ServiceTurn): void {
    const { slot, turnUs, finalizing } = this.#world;
    if (!finalizing) return this.#finish(turn);
    if (slot === 'processing-only' && finalizing === 'released') turn.holding = false;
    this.#enter(turn, 'finalizing');
    this.#time.later(this.#time.now + 1 + this.#requeues.next() * turnUs, () => this.#finish(turn));
  }

  #finish(turn: ServiceTurn): void {
    const { graceUs, failing, faults } = this.#world;
    const end = this.#time.chance(failing) ? 'failed' : 'completed';
    this.#enter(turn, end);
    this.#tell(turn.id, end);
    if (end === 'failed' && faults.failedLeaks) return;
    const late = faults.lateUs === undefined ? this.#time.random.next() * graceUs : graceUs + faults.lateUs;
    this.#time.later(this.#time.now + Math.floor(late), () => {
      turn.holding = false;
    });
    if (late < 1) turn.holding = false;
  }

  #enter(turn: ServiceTurn, status: Phase): void {
    turn.status = status;
    turn.since.push({ at: this.#time.now, status });
  }
}
