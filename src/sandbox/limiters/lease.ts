import type { Micros } from '../../base/index.ts';
import { keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { holders } from './semaphore.ts';
import { plus } from './windows.ts';

/**
 * At most `max` leases at once: a holder that is not done within `ttlUs` loses its unit though it goes on, so that a holder
 * that died cannot keep it for ever. More than `max` jobs run at once where a job outlasts its lease (limits.md, row CONC-TTL).
 */
export function lease({ max, ttlUs }: { readonly max: number; readonly ttlUs: Micros }): Limiter {
  return keyed(holders(max, ({ now, heldUntil = now }) => Math.min(heldUntil, plus(now, ttlUs)) as Micros));
}
