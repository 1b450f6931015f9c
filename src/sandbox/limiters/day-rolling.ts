import { DAY_US } from './day.ts';
import type { Limiter } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';

/** At most `max` units in any 24 hours: each unit comes back a day after it was taken. */
export function rollingDay({ max }: { readonly max: number }): Limiter {
  return slidingLog({ max, windowUs: DAY_US });
}
