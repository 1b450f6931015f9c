import { keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { logOf } from './sliding-log.ts';
import { plus, type Quota } from './windows.ts';

/**
 * A sliding log of attempts instead of admissions: refused requests count, so a client that keeps sending more than `max` requests
 * per W is never admitted again (limits.md, row SL-R). Every refusal postpones the next admission; the `retryAtUs` of a refusal
 * includes that refusal.
 */
export function slidingLogOfAttempts(quota: Quota): Limiter {
  const { peek, take, expiresAt } = logOf(quota);
  return keyed({
    peek(log = [], ask) {
      const decision = peek(log, ask);
      if (decision.admitted) return decision;
      // Once this attempt is in the log, the max-th last entry is the one that is now the (max − 1)-th last.
      return { admitted: false, retryAtUs: plus(log[log.length - quota.max + 1] ?? ask.now, quota.windowUs) };
    },
    take,
    refuse: take,
    expiresAt,
  });
}
