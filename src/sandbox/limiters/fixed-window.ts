import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { type AlignedQuota, counted, plus, startOfWindow } from './windows.ts';

/** A type alias, because an interface is not assignable to `SavedState` (no implicit index signature). */
type State = { startsAt: Micros; used: number };

/**
 * At most `max` units in each window aligned to the service's clock: with W = 60 s and no phase, in each minute. An interval
 * across a boundary may admit 2·max (limits.md, row FW-A).
 */
export function fixedWindow(quota: AlignedQuota): Limiter {
  const { max, windowUs } = quota;
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const startsAt = startOfWindow(now, quota);
      const used = state?.startsAt === startsAt ? state.used : 0;
      return counted(max - used, plus(startsAt, windowUs));
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
