import { type Clock, type Micros, WaitQueue } from '../../base/index.ts';
import type { Slots } from './slots.ts';

/** The right to send one request. It occupies its slot from the grant until a window after it was used. */
export interface RateSlot {
  /** Must be called immediately before the request is sent. */
  sent(): void;
  /** To be called if nothing is sent after all; does nothing after `sent`. */
  giveBack(): void;
}

/** At most `max` requests sent in any `windowUs` of the run's clock. */
export interface RateSlots {
  /** Resolves with `undefined` if the signal was aborted first. */
  take(signal: AbortSignal): Promise<RateSlot | undefined>;
  /** See `Slots`. */
  full(others?: number): boolean;
  readonly isUnlimited: boolean;
  settled?(signal: AbortSignal): Promise<void>;
}

/** For requests that count towards no rate. */
export const noRateSlot: RateSlot = { sent: () => undefined, giveBack: () => undefined };

export const unlimitedRate: RateSlots = { take: async () => noRateSlot, full: () => false, isUnlimited: true };

/** Whose turn it is to wait for a rate slot. */
type Turns = Pick<Slots, 'take' | 'settled'>;

/** Those who wait for a rate slot. */
export interface RateQueue {
  /** A single slot: only its holder looks for a rate slot. */
  readonly first: Turns;
  /** One cell: how many wait, the first included. */
  readonly wanted: Int32Array;
}

/** One slot, within one thread. p-limit would cost each request three microseconds more, even if nobody waits. */
export function oneAtATime(): Turns {
  const waiting = new WaitQueue();
  let isTaken = false;
  const release = () => {
    isTaken = waiting.grant();
  };
  return {
    async take(signal) {
      if (signal.aborted) return undefined;
      if (isTaken && !(await waiting.wait(signal))) return undefined;
      isTaken = true;
      return release;
    },
  };
}

/**
 * For each slot, the instant from which it is free; infinite between its grant and the sending of its request. The last entry is
 * the index of the slot granted longest ago. Absent entries are 0.
 */
export type SlotInstants = { [index: number]: number };

/** Only this many of the slots granted longest ago are examined; except after a standstill, one of them is the next free one. */
const MOST_EXAMINED = 1_024;
/** How often granted slots are checked for having been given back. When a slot of a sent request becomes free is known. */
const LOOK_EVERY_US = 100_000;

type Seen = { readonly index: number } | { readonly again: Micros };

/**
 * The first waiter waits for a slot; the others wait behind it. A slot stays occupied while its request waits for something else,
 * such as a connection. If slots became free one window after their grants, requests that accumulated during a standstill of the
 * service would all be sent when it continues: several minutes' worth within one.
 */
export class BoundedRate implements RateSlots {
  readonly isUnlimited = false;
  readonly #instants: SlotInstants;
  readonly #first: Turns;
  /** Waiters of all threads without a grant: of a slot that has just become free, another thread's waiter may not know yet. */
  readonly #wanted: Int32Array;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #windowUs: Micros;

  /** @param queue shared by all who share the instants */
  constructor(instants: SlotInstants, queue: RateQueue, clock: Clock, max: number, windowUs: Micros) {
    this.#instants = instants;
    this.#first = queue.first;
    this.#wanted = queue.wanted;
    this.#clock = clock;
    this.#max = max;
    this.#windowUs = windowUs;
  }

  full(others = 0): boolean {
    const now = this.#clock.now();
    const wanted = Atomics.load(this.#wanted, 0) + others;
    let free = 0;
    for (let nth = 0; nth < Math.min(this.#max, MOST_EXAMINED + wanted) && free <= wanted; nth++)
      if (this.#freeFrom(this.#indexOf(nth)) <= now) free += 1;
    return free <= wanted;
  }

  async take(signal: AbortSignal): Promise<RateSlot | undefined> {
    Atomics.add(this.#wanted, 0, 1);
    const passOn = await this.#first.take(signal);
    const slot = passOn && (await this.#next(signal));
    passOn?.();
    Atomics.sub(this.#wanted, 0, 1);
    return slot;
  }

  settled(signal: AbortSignal): Promise<void> {
    return this.#first.settled?.(signal) ?? Promise.resolve();
  }

  /** Only one waiter at a time gets here, so a free slot stays free. */
  async #next(signal: AbortSignal): Promise<RateSlot | undefined> {
    let seen = this.#look();
    while ('again' in seen && !signal.aborted) {
      await this.#clock.sleepUntil(seen.again, signal);
      seen = this.#look();
    }
    return 'again' in seen || signal.aborted ? undefined : this.#hold(seen.index);
  }

  /** A free slot, or when to look again. */
  #look(): Seen {
    const now = this.#clock.now();
    let again = Number.POSITIVE_INFINITY;
    let hasHeld = false;
    for (let nth = 0; nth < Math.min(this.#max, MOST_EXAMINED); nth++) {
      const index = this.#indexOf(nth);
      const freeFrom = this.#freeFrom(index);
      if (freeFrom <= now) return { index };
      hasHeld ||= freeFrom === Number.POSITIVE_INFINITY;
      again = Math.min(again, freeFrom);
    }
    return { again: (hasHeld ? Math.min(again, now + LOOK_EVERY_US) : again) as Micros };
  }

  #hold(index: number): RateSlot {
    const instants = this.#instants;
    instants[this.#max] = (index + 1) % this.#max;
    instants[index] = Number.POSITIVE_INFINITY;
    let isHeld = true;
    const freeFrom = (at: number) => {
      if (isHeld) instants[index] = at;
      isHeld = false;
    };
    return { sent: () => freeFrom(this.#clock.now() + this.#windowUs), giveBack: () => freeFrom(0) };
  }

  /** In the order of their grants, the oldest first. */
  #indexOf(nth: number): number {
    return ((this.#instants[this.#max] ?? 0) + nth) % this.#max;
  }

  #freeFrom(index: number): number {
    return this.#instants[index] ?? 0;
  }
}
