import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { countUntil, type Log } from './log.ts';
import { plus } from './windows.ts';

/** How many units may be held at once, and for how long. */
export interface Slots {
  readonly max: number;
  /**
   * A unit comes back after this long even if its holder continues: a lease, so that a crashed holder cannot keep it forever. More than
   * `max` jobs may run at once if a job outlasts its lease (limits.md, row CONC-TTL). Default never.
   */
  readonly ttlUs?: Micros;
}

/**
 * At most `max` units held at once, each over [taken, heldUntil). Releases need no event: a unit counts as free from the instant
 * of its release on.
 */
export const semaphore = (slots: Slots): Limiter => keyed(holders(slots));

/** Stores the instants at which holders end, ascending. Past ones are dropped when the next unit is taken. */
export function holders({ max, ttlUs = Number.POSITIVE_INFINITY as Micros }: Slots): Algorithm<Log> {
  return {
    peek(ends = [], { now }) {
      const past = countUntil(ends, now);
      const held = ends.length - past;
      const next = ends[past];
      if (held >= max) return { admitted: false, retryAtUs: ends[ends.length - max] ?? now };
      return { admitted: true, remaining: max - held - 1, ...(next !== undefined && { resetAtUs: next }) };
    },
    take(ends = [], { now, heldUntil = now }) {
      const until = Math.min(heldUntil, plus(now, ttlUs)) as Micros;
      ends.splice(0, countUntil(ends, now));
      ends.splice(countUntil(ends, until), 0, until);
      return ends;
    },
    expiresAt: (ends) => ends.at(-1) ?? (0 as Micros),
  };
}
