import type { Micros } from '../../base/index.ts';
import { keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { holders } from './semaphore.ts';
import { plus } from './windows.ts';

/**
 * At most `max` leases at once. A holder that takes longer than `ttlUs` loses its unit, so that a crashed holder cannot keep it
 * forever. More than `max` jobs may run at once if a job outlasts its lease (limits.md, row CONC-TTL).
 */
export function lease({ max, ttlUs }: { readonly max: number; readonly ttlUs: Micros }): Limiter {
  return keyed(holders(max, ({ now, heldUntil = now }) => Math.min(heldUntil, plus(now, ttlUs)) as Micros));
}
