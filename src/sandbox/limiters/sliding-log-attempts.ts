import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { append, countUntil, type Log } from './log.ts';
import { plus, type Quota } from './windows.ts';

/**
 * A sliding log of attempts instead of admissions: refused requests count, so a client that keeps sending more than `max` requests
 * per W is never admitted again (limits.md, row SL-R). Every refusal postpones the next admission; the `retryAtUs` of a refusal
 * includes that refusal.
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
      // Once this attempt is in the log, the max-th last entry is the one that is now the (max − 1)-th last.
      return { admitted: false, retryAtUs: plus(log[log.length - max + 1] ?? now, windowUs) };
    },
    take: (log, { now }) => write(log, now),
    refuse: (log, { now }) => write(log, now),
    expiresAt: (log) => plus(log.at(-1) ?? (0 as Micros), windowUs),
  };
  return keyed(algorithm);
}
