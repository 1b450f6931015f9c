import { type ArrivalTime, arrivalTimes } from './arrival-time.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import type { Quota } from './windows.ts';

/**
 * A leaky bucket as a queue, like nginx's limit_req without `nodelay`: requests leave the queue W/N apart, the first at once. A
 * request is refused if `burst` others are still queued (limits.md, row "leaky bucket as queue"). The spacing is exact, while
 * nginx rounds the rate down to thousandths of a request per second.
 * @param settings `burst`: how many simultaneous requests are admitted, including the one that leaves at once; default max
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
