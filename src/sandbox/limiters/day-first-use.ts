import { DAY_US } from './day.ts';
import { fixedWindowFromFirst } from './fixed-window-first-request.ts';
import type { Limiter } from './limiter.ts';

/** At most `max` units in the 24 hours from a key's first unit. The next unit after that starts a new day. */
export function dayFromFirstUse({ max }: { readonly max: number }): Limiter {
  return fixedWindowFromFirst({ max, windowUs: DAY_US });
}
