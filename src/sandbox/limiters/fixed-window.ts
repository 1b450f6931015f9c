import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { type AlignedQuota, plus, startOfWindow } from './windows.ts';

/** As a type, not an interface: only that is plain data to the compiler. */
type State = { startsAt: Micros; used: number };

/**
 * At most `max` units in each window of the service's clock: with W = 60 s and no phase, its minutes. An interval that
 * straddles a boundary may see 2·max admitted (limits.md, row FW-A).
 */
export function fixedWindow(quota: AlignedQuota): Limiter {
  const { max, windowUs } = quota;
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const startsAt = startOfWindow(now, quota);
      const endsAt = plus(startsAt, windowUs);
      const used = state?.startsAt === startsAt ? state.used : 0;
      return used < max
        ? { admitted: true, remaining: max - used - 1, resetAtUs: endsAt }
        : { admitted: false, retryAtUs: endsAt };
    },
    take(state, { now }) {
      const startsAt = startOfWindow(now, quota);
      if (state?.startsAt !== startsAt) return { startsAt, used: 1 };
      state.used++;
      return state;
    },
    expiresAt: ({ startsAt }) => plus(startsAt, windowUs),
  };
  return keyed(algorithm);
}
