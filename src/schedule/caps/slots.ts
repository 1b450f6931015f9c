import pLimit from 'p-limit';
import { onAbort } from '../../base/index.ts';

/** Gives a slot back. */
export type Release = () => void;

/** Of a cap that took none. */
export const nothingTaken: Release = () => undefined;

/** A cap with a queue; first come, first served. */
export interface Slots {
  /** Resolves with the function that gives the slot back; with undefined if the signal was aborted first. */
  take(signal: AbortSignal): Promise<Release | undefined>;
  /** Whether the next caller has to wait, if `others` (default 0) pending requests take their slots first. */
  full(others?: number): boolean;
  /** True if nobody ever waits; taking a slot may then be skipped. */
  readonly isUnlimited: boolean;
  /** Resolves when other workers no longer wait for anything of this one; absent if there are none. */
  settled?(signal: AbortSignal): Promise<void>;
}

/**
 * `count` slots, using p-limit: a slot is a p-limit task that lasts until it is given back. Without a count nothing is called and
 * nothing waits (it would cost 3 µs a call, design.md section 8).
 */
export function slotsOf(count: number | undefined): Slots {
  if (count === undefined) return { take: async () => () => undefined, full: () => false, isUnlimited: true };
  const limit = pLimit(count);
  // Slots held or waited for. p-limit counts a slot for some microtasks after it was given back; a caller that takes it in the
  // same turn of the event loop would seem to have waited.
  let wanted = 0;
  return {
    isUnlimited: false,
    take: (signal) =>
      new Promise((granted) => {
        if (signal.aborted) return granted(undefined);
        wanted += 1;
        const leave = once(() => {
          wanted -= 1;
        });
        const forget = onAbort(signal, () => {
          leave();
          granted(undefined);
        });
        void limit(
          () =>
            new Promise<void>((release) => {
              forget();
              const giveBack = () => {
                leave();
                release();
              };
              // A waiter that gave up still reaches the head of the queue; its turn passes on at once.
              if (signal.aborted) giveBack();
              else granted(giveBack);
            }),
        );
      }),
    full: (others = 0) => wanted + others >= count,
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
