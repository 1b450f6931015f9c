import { DAY_US } from './day.ts';
import { fixedWindow } from './fixed-window.ts';
import type { Limiter } from './limiter.ts';

/**
 * At most `max` units per calendar day in UTC, back to full at 00:00 UTC. Because POSIX days are of one length, leap seconds
 * or not, and 1970 began at midnight, a UTC day is a window aligned to the clock; days of another time zone would not be.
 */
export function utcDay({ max }: { readonly max: number }): Limiter {
  return fixedWindow({ max, windowUs: DAY_US });
}
