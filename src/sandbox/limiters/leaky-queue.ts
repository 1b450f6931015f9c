import { type ArrivalTime, arrivalTimes } from './arrival-time.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import type { Quota } from './windows.ts';

/**
 * A leaky bucket as a queue, as nginx limits without `nodelay`: requests leave it W/N apart, the first at once; one that would
 * find `burst` others not yet gone is refused (limits.md, row "leaky bucket as queue"). Its spacing is exact, where nginx
 * rounds the rate down to thousandths of a request per second.
 * @param settings `burst`: how many at once are taken, the one that leaves at once included; default max
 */
export function leakyQueue(settings: Quota & { readonly burst?: number }): Limiter {
  const times = arrivalTimes(settings);
  const algorithm: Algorithm<ArrivalTime> = {
    peek(tat, { now }) {
      const units = times.conforming(tat, now);
      if (units < 1) return { admitted: false, retryAtUs: times.conformsAt(tat, now) };
      const delayUs = times.dueAt(tat, now) - now;
      return {
        admitted: true,
        remaining: units - 1,
        resetAtUs: times.conformsAt(times.advance(tat, now), now, units),
        ...(delayUs > 0 && { delayUs: delayUs as typeof now }),
      };
    },
    take: (tat, { now }) => times.advance(tat, now),
    expiresAt: times.passedAt,
  };
  return keyed(algorithm);
}
