import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { ConcurrencyLimit, RateLimit } from '../config/limits.ts';
import type { Slots } from '../limiters/semaphore.ts';
import type { AlignedQuota } from '../limiters/windows.ts';

/** The quota of a rate limit, as limiters take it. The phase is 0 if the algorithm has none. */
export function quotaOf(limit: RateLimit): AlignedQuota {
  const windowUs = microsFromMillis(limit.window);
  const phase = 'phase' in limit ? microsFromMillis(limit.phase) : 0;
  return { max: limit.max, windowUs, phaseUs: (phase % windowUs) as Micros };
}

/** How many units an unused limit admits at once: the burst, or `max` if the algorithm has none. */
export const burstOf = (limit: RateLimit): number => ('burst' in limit ? limit.burst : limit.max);

/** The slots of a limit of concurrency, as limiters take them. */
export const slotsOf = (limit: ConcurrencyLimit): Slots => ({
  max: limit.max,
  ...(limit.algorithm === 'lease' && { ttlUs: microsFromMillis(limit.ttl) }),
});
