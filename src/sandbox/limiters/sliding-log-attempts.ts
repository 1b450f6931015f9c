import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { append, countUntil, type Log } from './log.ts';
import { plus, type Quota } from './windows.ts';

/**
 * As the sliding log, over attempts instead of admissions: refused requests count, so that a client that keeps knocking more
 * than `max` times per W stays out for ever (limits.md, row SL-R). The time of the next admission therefore moves with
 * every refusal; what a refusal is told includes that very refusal.
 */
export function slidingLogOfAttempts({ max, windowUs }: Quota): Limiter {
  const write = (log: Log | undefined, now: Micros) => append(log ?? [], now, max);
  const algorithm: Algorithm<Log> = {
    peek(log = [], { now }) {
      const past = countUntil(log, now - windowUs);
      const counted = log.length - past;
      if (counted < max) {
        return { admitted: true, remaining: max - counted - 1, resetAtUs: plus(log[past] ?? now, windowUs) };
      }
      // With this attempt in the log, the max-th last one is the one after today's.
      return { admitted: false, retryAtUs: plus(log[log.length - max + 1] ?? now, windowUs) };
    },
    take: (log, { now }) => write(log, now),
    refuse: (log, { now }) => write(log, now),
    expiresAt: (log) => plus(log.at(-1) ?? (0 as Micros), windowUs),
  };
  return keyed(algorithm);
}
