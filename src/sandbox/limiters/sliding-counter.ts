import type { slidingCounterVariants } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { type AlignedQuota, plus, roundedUp, startOfWindow, wholePart } from './windows.ts';

/** Units of the window that began at `startsAt` (`current`) and of the window before it (`previous`). */
type State = { startsAt: Micros; previous: number; current: number };

/**
 * How the estimate `previous·(1 − f) + current` is compared, where f is the elapsed share of the window:
 * - `below`: admitted while the estimate is below N (Cloudflare, "How we built rate limiting capable of scaling to millions of domains", 2017);
 * - `at-most`: admitted while the estimate plus this request is at most N;
 * - `floored`: like `below`, with the weighted part rounded down (Upstash, ratelimit-js). For requests of one unit it is
 *   equivalent to `below`, because ⌊x⌋ < k and x < k are equivalent for a whole k.
 */
export type SlidingCounterVariant = (typeof slidingCounterVariants)[number];

type Settings = AlignedQuota & { readonly variant: SlidingCounterVariant };

/**
 * A sliding window estimated from two counters (limits.md, row SC). It may refuse what a log would admit, and admits up to about
 * 2·max in an interval shorter than W.
 * @param quota max·windowUs < 2^53, so that the estimate is exact
 */
export function slidingCounter(quota: Settings): Limiter {
  const { max, windowUs, variant } = quota;
  // `previous·(1 − f) + current + (u − 1) < N` holds for N − current − ⌊previous·(1 − f)⌋ units u.
  const rounded = variant === 'at-most' ? roundedUp : wholePart;

  const current = (state: State | undefined, now: Micros): State => {
    const startsAt = startOfWindow(now, quota);
    if (state?.startsAt === startsAt) return state;
    const follows = state !== undefined && startsAt === plus(state.startsAt, windowUs);
    return { startsAt, previous: follows ? state.current : 0, current: 0 };
  };
  const left = ({ startsAt, previous, current }: State, now: Micros) =>
    max - current - rounded(previous * (windowUs - (now - startsAt)), windowUs);

  /** The first instant of `state`'s window or later at which `units` are left. */
  const firstWith = (units: number, { startsAt, previous, current }: State): Micros => {
    const into = sinksTo(max - current - units, previous, quota);
    if (into < windowUs) return plus(startsAt, into);
    return firstWith(units, { startsAt: plus(startsAt, windowUs), previous: current, current: 0 });
  };

  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const found = current(state, now);
      const units = left(found, now);
      if (units < 1) return { admitted: false, retryAtUs: firstWith(1, found) };
      const after = { ...found, current: found.current + 1 };
      return { admitted: true, remaining: units - 1, resetAtUs: firstWith(units, after) };
    },
    take(state, { now }) {
      const found = current(state, now);
      found.current++;
      return found;
    },
    expiresAt: ({ startsAt }) => plus(startsAt, 2 * windowUs),
  };
  return keyed(algorithm);
}

/** How far into the window the weighted part of the estimate falls to `most` units; `windowUs` if not before its end. */
function sinksTo(most: number, previous: number, { windowUs, variant }: Settings): number {
  if (most < 0) return windowUs;
  if (previous <= most) return 0;
  return variant === 'at-most'
    ? windowUs - wholePart(most * windowUs, previous)
    : windowUs - roundedUp((most + 1) * windowUs, previous) + 1;
}
