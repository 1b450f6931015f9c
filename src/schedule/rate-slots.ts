import { type Clock, type Micros, WaitQueue } from '../base/index.ts';
import type { Slots } from './caps.ts';

/** The right to send one request. It counts from when it is granted until a window after it was used. */
export interface RateSlot {
  /** Last thing before the request is sent. */
  sent(): void;
  /** Where nothing is sent after all; a no-op where it was. */
  giveBack(): void;
}

/** At most `max` requests sent in any `windowUs` of the run's clock. */
export interface RateSlots {
  /** Resolves with `undefined` when the signal was aborted first. */
  take(signal: AbortSignal): Promise<RateSlot | undefined>;
  /** As of `Slots`. */
  full(others?: number): boolean;
  readonly isUnlimited: boolean;
  settled?(signal: AbortSignal): Promise<void>;
}

/** Of what counts towards no rate. */
export const noRateSlot: RateSlot = { sent: () => undefined, giveBack: () => undefined };

export const unlimitedRate: RateSlots = { take: async () => noRateSlot, full: () => false, isUnlimited: true };

/** One slot, in one thread. p-limit would cost each request three microseconds more, where nobody waits. */
export function oneAtATime(): Slots {
  const waiting = new WaitQueue();
  let isTaken = false;
  const release = () => {
    isTaken = waiting.grant();
  };
  return {
    isUnlimited: false,
    full: (others = 0) => isTaken || others > 0,
    async take(signal) {
      if (signal.aborted) return undefined;
      if (isTaken && !(await waiting.wait(signal))) return undefined;
      isTaken = true;
      return release;
    },
  };
}

/**
 * Where each slot is kept: the instant from which on it is free; infinite from when it is granted until its request is sent. Behind
 * them all stands which one to look at first. Absent ones are 0.
 */
export type SlotInstants = { [index: number]: number };

/** Of that many slots those that were granted longest ago; one of them is the next to be free but after a standstill. */
const MOST_LOOKED_AT = 1_024;
/** How often is looked whether one that was granted is given back; those that are sent say when they will be free. */
const LOOK_EVERY_US = 100_000;

type Seen = { readonly index: number } | { readonly again: Micros };

/**
 * Whoever is first waits for a slot; the others wait behind. What has been granted and still waits for something else, a connection for
 * one, holds its slot for as long: if slots came back by the time of their grants, all that had gathered before a service that
 * stands still would leave at once when it goes on, in one minute what is due in several.
 */
export class BoundedRate implements RateSlots {
  readonly isUnlimited = false;
  readonly #instants: SlotInstants;
  readonly #first: Slots;
  readonly #clock: Clock;
  readonly #max: number;
  readonly #windowUs: Micros;
  /** Of this thread, those to whom nothing is granted yet. Where others wait in another, nothing is free. */
  #wanted = 0;

  /** @param first one slot, over all who share the instants */
  constructor(instants: SlotInstants, first: Slots, clock: Clock, max: number, windowUs: Micros) {
    this.#instants = instants;
    this.#first = first;
    this.#clock = clock;
    this.#max = max;
    this.#windowUs = windowUs;
  }

  full(others = 0): boolean {
    const now = this.#clock.now();
    const wanted = this.#wanted + others;
    let free = 0;
    for (let nth = 0; nth < Math.min(this.#max, MOST_LOOKED_AT + wanted) && free <= wanted; nth++)
      if (this.#freeFrom(this.#indexOf(nth)) <= now) free += 1;
    return free <= wanted;
  }

  async take(signal: AbortSignal): Promise<RateSlot | undefined> {
    this.#wanted += 1;
    const passOn = await this.#first.take(signal);
    const slot = passOn && (await this.#next(signal));
    passOn?.();
    this.#wanted -= 1;
    return slot;
  }

  settled(signal: AbortSignal): Promise<void> {
    return this.#first.settled?.(signal) ?? Promise.resolve();
  }

  /** Nobody else grants meanwhile, so what is free stays so. */
  async #next(signal: AbortSignal): Promise<RateSlot | undefined> {
    let seen = this.#look();
    while ('again' in seen && !signal.aborted) {
      await this.#clock.sleepUntil(seen.again, signal);
      seen = this.#look();
    }
    return 'again' in seen || signal.aborted ? undefined : this.#hold(seen.index);
  }

  /** A slot that is free, or when to look again. */
  #look(): Seen {
    const now = this.#clock.now();
    let again = Number.POSITIVE_INFINITY;
    let hasHeld = false;
    for (let nth = 0; nth < Math.min(this.#max, MOST_LOOKED_AT); nth++) {
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

  /** In the order in which they were granted, the longest ago first. */
  #indexOf(nth: number): number {
    return ((this.#instants[this.#max] ?? 0) + nth) % this.#max;
  }

  #freeFrom(index: number): number {
    return this.#instants[index] ?? 0;
  }
}
