import type { Micros } from '../../base/index.ts';
import { fixedWindow } from './fixed-window.ts';
import { fixedWindowFromFirst } from './fixed-window-first-request.ts';
import type { Limiter } from './limiter.ts';
import { slidingLog } from './sliding-log.ts';

/** 24 hours. */
export const DAY_US = 86_400_000_000 as Micros;

interface Quota {
  /** Units per day. */
  readonly max: number;
}

/**
 * At most `max` units per calendar day in UTC; resets at 00:00 UTC. A UTC day is a fixed window, because all POSIX days have the
 * same length (leap seconds do not count) and 1970 began at midnight. Days of other time zones are not: see `dayOfTokenTimezone`.
 */
export const utcDay = ({ max }: Quota): Limiter => fixedWindow({ max, windowUs: DAY_US });

/** At most `max` units in the 24 hours from a key's first unit. The next unit after that starts a new day. */
export const dayFromFirstUse = ({ max }: Quota): Limiter => fixedWindowFromFirst({ max, windowUs: DAY_US });

/** At most `max` units in any 24 hours: each unit comes back a day after it was taken. */
export const rollingDay = ({ max }: Quota): Limiter => slidingLog({ max, windowUs: DAY_US });
