import { type ArrivalTime, arrivalTimes } from './arrival-time.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import type { Quota } from './windows.ts';

/**
 * The generic cell rate algorithm, which stores one instant per key (limits.md, row GCRA). Its decisions equal those of the
 * continuous token bucket with the same burst. `burst` 1 allows one request per W/N.
 * @param settings `burst`: default max; burst·windowUs < 2^53
 */
export const gcra = (settings: Quota & { readonly burst?: number }): Limiter => keyed(cellRate(arrivalTimes(settings)));

export const cellRate = (times: ReturnType<typeof arrivalTimes>): Algorithm<ArrivalTime> => ({
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
});
