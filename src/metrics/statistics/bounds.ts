import { binomialAtMost, incompleteBeta, whereReached } from './incomplete-beta.ts';

/**
 * Confidence of every one-sided bound in this project. Each end of an interval holds with this confidence; both together hold
 * with at least 90 %.
 */
export const CONFIDENCE = 0.95;

/** Ranks of the samples that bound a percentile; 1 is the smallest sample. An end is absent if there are too few samples. */
export interface RankBounds {
  readonly lower?: number;
  readonly upper?: number;
}

/**
 * Exact distribution-free confidence bounds of a percentile by order statistics (Conover, Practical Nonparametric Statistics,
 * section 3.2). Assumes independent samples.
 * @param percent 0 to 100
 * @param count number of samples
 */
export function percentileRanks(percent: number, count: number): RankBounds {
  const share = percent / 100;
  const atMost = (k: number) => binomialAtMost(k, count, share);
  // The k-th smallest sample is an upper bound if P(Bin ≤ k − 1) ≥ confidence, which holds from some rank on.
  const upper = firstRank(count, (k) => atMost(k - 1) >= CONFIDENCE);
  // It is a lower bound if P(Bin ≥ k) ≥ confidence, which holds up to some rank: the one before the first failure.
  const lower = (firstRank(count, (k) => 1 - atMost(k - 1) < CONFIDENCE) ?? count + 1) - 1;
  return { ...(lower >= 1 && { lower }), ...(upper !== undefined && { upper }) };
}

/** Binary search for the first rank of 1 to `count` that satisfies a monotone predicate; `undefined` if none does. */
function firstRank(count: number, holds: (rank: number) => boolean): number | undefined {
  let low = 1;
  let high = count + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low <= count ? low : undefined;
}

/** Tolerance for rounding errors of the logarithms. */
const ROUNDING = 1e-9;

/**
 * The number of samples from which a percentile has an upper bound: the least n with 1 − p^n ≥ 95 %. 5 for the median, 29 for
 * the 90th percentile, 59 for the 95th, 299 for the 99th.
 * @param percent 0 to 100; Infinity for 100
 */
export function samplesForUpperBound(percent: number): number {
  if (percent >= 100) return Number.POSITIVE_INFINITY;
  return Math.max(1, Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(percent / 100) - ROUNDING));
}

/** The same for the lower bound, which needs few samples for high percentiles and many for low ones. */
export const samplesForLowerBound = (percent: number): number => samplesForUpperBound(100 - percent);

/**
 * The highest percentile that has an upper bound with this number of samples, rounded down to a tenth: 90 for 29 samples, 94.1
 * for 50.
 * @param count ≥ 1
 */
export const highestCarried = (count: number): number =>
  Math.floor(1_000 * (1 - CONFIDENCE) ** (1 / count) + ROUNDING) / 10;

/**
 * Exact bounds of a share (Clopper and Pearson 1934). They assume independent samples.
 * @param part 0 to `whole`
 * @param whole ≥ 1
 */
export function shareBounds(part: number, whole: number): { readonly lower: number; readonly upper: number } {
  return {
    lower: part <= 0 ? 0 : whereReached(1 - CONFIDENCE, (x) => incompleteBeta(x, part, whole - part + 1)),
    upper: part >= whole ? 1 : whereReached(CONFIDENCE, (x) => incompleteBeta(x, part + 1, whole - part)),
  };
}
