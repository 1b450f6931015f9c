import type { Micros } from '../../base/index.ts';
import { fixedWindow } from './fixed-window.ts';
import type { Limiter } from './limiter.ts';

/** POSIX time gives every UTC day exactly this length, leap seconds or not. */
const DAY_US = 86_400_000_000 as Micros;

/**
 * At most `max` units per calendar day in UTC, back to full at 00:00 UTC. Because POSIX days are of one length and 1970 began
 * at midnight, a UTC day is a window aligned to the clock; days of another time zone would not be.
 */
export function dayCounter(settings: { readonly max: number }): Limiter {
  return fixedWindow({ max: settings.max, windowUs: DAY_US });
}
