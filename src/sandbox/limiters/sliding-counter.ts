import type { slidingCounterVariants } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { type AlignedQuota, plus, roundedUp, startOfWindow, wholePart } from './windows.ts';

/** `previous` and `current` units of the window before and of the one that began at `startsAt`. */
type State = { startsAt: Micros; previous: number; current: number };

/**
 * How the estimate `previous·(1 − f) + current` is compared, f being the elapsed share of the window:
 * - `below`: admitted while the estimate is below N (Cloudflare, "How we built rate limiting capable of scaling to millions of domains", 2017);
 * - `at-most`: admitted while the estimate and this request are at most N;
 * - `floored`: the weighted part is rounded down first, then as `below` (Upstash, ratelimit-js). For requests of one unit
 *   it decides as `below` does, because ⌊x⌋ < k and x < k are the same for a whole k.
 */
export type SlidingCounterVariant = (typeof slidingCounterVariants)[number];

/**
 * A sliding window estimated from two counters (limits.md, row SC): may refuse what a log would admit, and admits up to
 * about 2·max in an interval below W.
 * @param quota max·windowUs < 2^53, so that the estimate is exact
 */
export function slidingCounter(quota: AlignedQuota & { readonly variant: SlidingCounterVariant }): Limiter {
  const { max, windowUs, variant } = quota;
  /** The estimate's weighted part, as the variant rounds it, `into` microseconds into the window: whole units. */
  const weighted = {
    // `previous·(1 − f) + current + (u − 1) < N` holds for N − current − ⌊previous·(1 − f)⌋ units u.
    below: (previous: number, into: number) => wholePart(previous * (windowUs - into), windowUs),
    'at-most': (previous: number, into: number) => roundedUp(previous * (windowUs - into), windowUs),
    floored: (previous: number, into: number) => wholePart(previous * (windowUs - into), windowUs),
  }[variant];

  const current = (state: State | undefined, now: Micros): State => {
    const startsAt = startOfWindow(now, quota);
    if (state?.startsAt === startsAt) return state;
    const follows = state !== undefined && startsAt === plus(state.startsAt, windowUs);
    return { startsAt, previous: follows ? state.current : 0, current: 0 };
  };
  const left = ({ startsAt, previous, current }: State, now: Micros) =>
    max - current - weighted(previous, now - startsAt);

  /** How far into a window the weighted part has sunk to `most` units; `windowUs`: not before its end. */
  const sinksTo = (most: number, previous: number): number => {
    if (most < 0) return windowUs;
    if (previous <= most) return 0;
    return variant === 'at-most'
      ? windowUs - wholePart(most * windowUs, previous)
      : windowUs - roundedUp((most + 1) * windowUs, previous) + 1;
  };
  /** The first instant of `state`'s window or later at which `units` are left. */
  const firstWith = (units: number, { startsAt, previous, current }: State): Micros => {
    const into = sinksTo(max - current - units, previous);
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
