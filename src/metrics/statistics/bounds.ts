import { binomialAtMost, incompleteBeta, whereReached } from './incomplete-beta.ts';

/**
 * The confidence of every bound in this project: each end of an interval holds by itself with this confidence, both
 * together with 90 % at least.
 */
export const CONFIDENCE = 0.95;

/** Ranks of samples, 1 for the least, between which a percentile lies; an end is absent where no sample can be it. */
export interface RankBounds {
  readonly lower?: number;
  readonly upper?: number;
}

/**
 * Which samples, in rising order, bound a percentile: distribution-free, exact, by order statistics (Conover, Practical
 * Nonparametric Statistics, section 3.2). It assumes independent samples.
 * @param percent 0 to 100
 * @param count samples
 */
export function percentileRanks(percent: number, count: number): RankBounds {
  const share = percent / 100;
  const atMost = (k: number) => binomialAtMost(k, count, share);
  // The k-th least is not below the percentile unless k samples or more are: P(Bin ≤ k − 1) ≥ confidence.
  const upper = firstRank(count, (k) => atMost(k - 1) >= CONFIDENCE);
  // It is not above it unless k samples or more are not: P(Bin ≥ k) ≥ confidence holds for the ranks below one of them.
  const lower = (firstRank(count, (k) => 1 - atMost(k - 1) < CONFIDENCE) ?? count + 1) - 1;
  return { ...(lower >= 1 && { lower }), ...(upper !== undefined && { upper }) };
}

/** The first of the ranks 1 to `count` for which something holds that holds for all after it; `undefined` for none. */
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

/** So close that rounding of the logarithms alone made the difference. */
const ROUNDING = 1e-9;

/**
 * Samples without which a percentile has no upper bound at all: 1 − p^n ≥ 95 %. 5 for the median, 29 for the 90th, 59 for
 * the 95th, 299 for the 99th.
 * @param percent 0 to below 100; at 100 no number is enough (Infinity)
 */
export function samplesForUpperBound(percent: number): number {
  if (percent >= 100) return Number.POSITIVE_INFINITY;
  return percent <= 0 ? 1 : Math.max(1, Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(percent / 100) - ROUNDING));
}

/** The same of the lower bound, which is easy for high percentiles and hard for low ones. */
export const samplesForLowerBound = (percent: number): number => samplesForUpperBound(100 - percent);

/**
 * The highest percentile that so many samples carry, to a tenth, rounded down: the 90th from 29, the 94.1st from 50.
 * @param count ≥ 1
 */
export const highestCarried = (count: number): number =>
  Math.floor(1_000 * (1 - CONFIDENCE) ** (1 / count) + ROUNDING) / 10;

/**
 * Bounds of a share, exact (Clopper and Pearson 1934). They assume independent samples.
 * @param part 0 to `whole`
 * @param whole ≥ 1
 */
export function shareBounds(part: number, whole: number): { readonly lower: number; readonly upper: number } {
  return {
    lower: part <= 0 ? 0 : whereReached(1 - CONFIDENCE, (x) => incompleteBeta(x, part, whole - part + 1)),
    upper: part >= whole ? 1 : whereReached(CONFIDENCE, (x) => incompleteBeta(x, part + 1, whole - part)),
  };
}
