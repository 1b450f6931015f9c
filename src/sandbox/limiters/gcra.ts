import { type ArrivalTime, arrivalTimes } from './arrival-time.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import type { Quota } from './windows.ts';

/**
 * The generic cell rate algorithm: one instant per key, no refill (limits.md, row GCRA). Decides as the continuous token
 * bucket of the same burst does; with `burst` 1 it allows no burst at all, one request per W/N.
 * @param settings `burst`: default max; burst·windowUs < 2^53
 */
export function gcra(settings: Quota & { readonly burst?: number }): Limiter {
  const times = arrivalTimes(settings);
  const algorithm: Algorithm<ArrivalTime> = {
    peek(tat, { now }) {
      const units = times.conforming(tat, now);
      if (units < 1) return { admitted: false, retryAtUs: times.conformsAt(tat, now) };
      return {
        admitted: true,
        remaining: units - 1,
        resetAtUs: times.conformsAt(times.advance(tat, now), now, units),
      };
    },
    take: (tat, { now }) => times.advance(tat, now),
    expiresAt: times.passedAt,
  };
  return keyed(algorithm);
}
