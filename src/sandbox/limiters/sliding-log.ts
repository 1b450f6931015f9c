import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { append, countUntil, type Log } from './log.ts';
import { plus, type Quota } from './windows.ts';

/**
 * At most `max` units in every interval (t − W, t]: the strictest reading (limits.md, row SL). Stores the instants of admitted
 * requests only.
 */
export const slidingLog = (quota: Quota): Limiter => keyed(logOf(quota));

export const logOf = ({ max, windowUs }: Quota): Algorithm<Log> => ({
  peek(log = [], { now }) {
    const past = countUntil(log, now - windowUs);
    const counted = log.length - past;
    if (counted >= max) return { admitted: false, retryAtUs: plus(log[log.length - max] ?? now, windowUs) };
    return { admitted: true, remaining: max - counted - 1, resetAtUs: plus(log[past] ?? now, windowUs) };
  },
  take: (log = [], { now }) => append(log, now, max),
  expiresAt: (log) => plus(log.at(-1) ?? (0 as Micros), windowUs),
});
