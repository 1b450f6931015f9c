import { DAY_US } from './day.ts';
import { fixedWindow } from './fixed-window.ts';
import type { Limiter } from './limiter.ts';

/**
 * At most `max` units per calendar day in UTC; resets at 00:00 UTC. A UTC day is a fixed window, because all POSIX days have the
 * same length (leap seconds do not count) and 1970 began at midnight. Days of other time zones are not.
 */
export function utcDay({ max }: { readonly max: number }): Limiter {
  return fixedWindow({ max, windowUs: DAY_US });
}
