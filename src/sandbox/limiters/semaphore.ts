import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { countUntil, type Log } from './log.ts';

/**
 * At most `max` units held at once, each over [taken, heldUntil). Releases need no event: a unit counts as free from the instant
 * of its release on.
 */
export function semaphore({ max }: { readonly max: number }): Limiter {
  return keyed(holders(max, ({ now, heldUntil = now }) => heldUntil));
}

/** Stores the instants at which holders end, ascending. Past ones are dropped when the next unit is taken. */
export function holders(
  max: number,
  endsAt: (ask: { readonly now: Micros; readonly heldUntil?: Micros }) => Micros,
): Algorithm<Log> {
  return {
    peek(ends = [], { now }) {
      const past = countUntil(ends, now);
      const held = ends.length - past;
      const next = ends[past];
      if (held >= max) return { admitted: false, retryAtUs: ends[ends.length - max] ?? now };
      return { admitted: true, remaining: max - held - 1, ...(next !== undefined && { resetAtUs: next }) };
    },
    take(ends = [], ask) {
      const until = endsAt(ask);
      ends.splice(0, countUntil(ends, ask.now));
      ends.splice(countUntil(ends, until), 0, until);
      return ends;
    },
    expiresAt: (ends) => ends.at(-1) ?? (0 as Micros),
  };
}
