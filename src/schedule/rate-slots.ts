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
  readonly full: boolean;
  readonly isUnlimited: boolean;
  settled?(signal: AbortSignal): Promise<void>;
}

/** Of what counts towards no rate. */
export const noRateSlot: RateSlot = { sent: () => undefined, giveBack: () => undefined };

export const unlimitedRate: RateSlots = { take: async () => noRateSlot, full: false, isUnlimited: true };

/** One slot, in one thread. p-limit would cost each request three microseconds more, where nobody waits. */
export function turns(): Slots {
  const waiting = new WaitQueue();
  let isTaken = false;
  const release = () => {
    isTaken = waiting.grant();
  };
  return {
    isUnlimited: false,
    get full() {
      return isTaken;
    },
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

/**
 * Whoever is first waits for a slot; the others wait behind. What has been granted and still waits for something else, a connection for
 * one, holds its slot for as long: if slots came back by the time of their grants, all that had gathered before a service that
 * stands still would leave at once when it goes on, in one minute what is due in several.
 * @param first one slot, over all who share the instants
 */
export function rateSlotsIn(
  instants: SlotInstants,
  first: Slots,
  clock: Clock,
  max: number,
  windowUs: Micros,
): RateSlots {
  const likely = () => instants[max] ?? 0;
  /** A slot that is free, or when to look again. Nobody else grants meanwhile, so what is free stays so. */
  const look = (): { readonly index: number } | { readonly again: Micros } => {
    const now = clock.now();
    let again = Number.POSITIVE_INFINITY;
    let hasHeld = false;
    for (let tried = 0; tried < Math.min(max, MOST_LOOKED_AT); tried++) {
      const index = (likely() + tried) % max;
      const freeFrom = instants[index] ?? 0;
      if (freeFrom <= now) return { index };
      hasHeld ||= freeFrom === Number.POSITIVE_INFINITY;
      again = Math.min(again, freeFrom);
    }
    return { again: (hasHeld ? Math.min(again, now + LOOK_EVERY_US) : again) as Micros };
  };
  const hold = (index: number): RateSlot => {
    instants[max] = (index + 1) % max;
    instants[index] = Number.POSITIVE_INFINITY;
    let isHeld = true;
    const freeFrom = (at: number) => {
      if (isHeld) instants[index] = at;
      isHeld = false;
    };
    return { sent: () => freeFrom(clock.now() + windowUs), giveBack: () => freeFrom(0) };
  };
  return {
    isUnlimited: false,
    get full() {
      return first.full || !('index' in look());
    },
    async take(signal) {
      const next = await first.take(signal);
      if (!next) return undefined;
      let seen = look();
      while ('again' in seen && !signal.aborted) {
        await clock.sleepUntil(seen.again, signal);
        seen = look();
      }
      const slot = 'again' in seen || signal.aborted ? undefined : hold(seen.index);
      next();
      return slot;
    },
  };
}
