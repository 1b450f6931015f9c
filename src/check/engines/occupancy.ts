import { countBelow, countUpTo } from './counted.ts';

/** Intervals in which something may have been held, as two sorted lists. */
export interface Holdings {
  readonly begins: Float64Array;
  readonly ends: Float64Array;
}

/** If more began while a refusal was under way, only the coarse count is used: sound, and never quadratic. */
const FINE_BEGINNINGS = 64;

/**
 * The most that may have been held at any one instant of [from, to], ends included.
 * @param enough the exact count is skipped if the coarse one is below this; absent: always exact
 */
export function mostHeld({ begins, ends }: Holdings, from: number, to: number, enough?: number): number {
  const begun = countUpTo(begins, from);
  const begunLast = countUpTo(begins, to);
  const coarse = begunLast - countBelow(ends, from);
  if (enough !== undefined && (coarse < enough || begunLast - begun > FINE_BEGINNINGS)) return coarse;
  let most = begun - countBelow(ends, from);
  for (let i = begun; i < begunLast; i++) most = Math.max(most, i + 1 - countBelow(ends, begins[i] as number));
  return most;
}
