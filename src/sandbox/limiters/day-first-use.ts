import { DAY_US } from './day.ts';
import { fixedWindowFromFirst } from './fixed-window-first-request.ts';
import type { Limiter } from './limiter.ts';

/** At most `max` units in the 24 hours that begin with a key's first one; then a new day begins with the next. */
export function dayFromFirstUse({ max }: { readonly max: number }): Limiter {
  return fixedWindowFromFirst({ max, windowUs: DAY_US });
}
