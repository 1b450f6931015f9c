import { medianSorted } from 'simple-statistics';

/*
 * Exact rank tests, also with ties, and the confidence intervals that belong to them. They assume independent rounds, but no
 * distribution.
 */

/** A shift between two sets of rounds. */
export interface Shift {
  /** Hodges–Lehmann estimate. */
  readonly estimate: number;
  /** 95 % interval; absent with too few rounds. */
  readonly interval?: { readonly low: number; readonly high: number };
  /** Two-sided p-value for the hypothesis of no shift. */
  readonly p: number;
}

const ALPHA = 0.05;

/**
 * Shift of paired rounds by Wilcoxon's signed-rank test. Pairs without a difference are left out of the test, but not of the
 * interval.
 * @param differences one per pair; at least one
 */
export function pairedShift(differences: readonly number[]): Shift {
  const nonZero = differences.filter((difference) => difference !== 0);
  const ranks = doubledRanks(nonZero.map(Math.abs));
  const sum = ranks.reduce((total, rank, index) => ((nonZero[index] ?? 0) > 0 ? total + rank : total), 0);
  const walsh = differences.flatMap((a, i) => differences.slice(i).map((b) => (a + b) / 2));
  const untied = signedRankDistribution(differences.map((_, index) => 2 * (index + 1)));
  return { p: twoSided(signedRankDistribution(ranks), sum), ...shiftOf(walsh, untied) };
}

/**
 * Shift between two sets of unpaired rounds by the rank-sum test (Mann, Whitney and Wilcoxon).
 * @param base at least one
 * @param candidate at least one; a positive shift means that the candidate is higher
 */
export function unpairedShift(base: readonly number[], candidate: readonly number[]): Shift {
  const ranks = doubledRanks([...candidate, ...base]);
  const sum = ranks.slice(0, candidate.length).reduce((total, rank) => total + rank, 0);
  const differences = candidate.flatMap((high) => base.map((low) => high - low));
  const ordinary = Array.from({ length: ranks.length }, (_, index) => 2 * (index + 1));
  // Doubled rank sum minus its minimum: twice the number of pairs in which the candidate is higher.
  const least = candidate.length * (candidate.length + 1);
  const untied = rankSumDistribution(ordinary, candidate.length).slice(least);
  return { p: twoSided(rankSumDistribution(ranks, candidate.length), sum), ...shiftOf(differences, untied) };
}

/** The smallest number of pairs with which a paired test can reach this p-value. */
export const pairsNeeded = (p: number): number => Math.ceil(Math.log2(2 / p) - 1e-9);

/** The smallest p-value that a test of so many pairs can reach. */
export const leastPairedP = (pairs: number): number => Math.min(1, 2 / 2 ** pairs);

/** The smallest p-value that an unpaired test of so many rounds can reach. */
export function leastUnpairedP(base: number, candidate: number): number {
  let ways = 1;
  for (let i = 1; i <= candidate; i++) ways = (ways * (base + i)) / i;
  return Math.min(1, 2 / ways);
}

/** Twice the ascending ranks, 2 for the smallest value. Ties get the mean rank; doubling keeps it an integer. */
function doubledRanks(values: readonly number[]): number[] {
  const inOrder = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let from = 0; from < inOrder.length; ) {
    let to = from;
    while (inOrder[to + 1]?.value === inOrder[from]?.value) to++;
    for (let at = from; at <= to; at++) ranks[inOrder[at]?.index ?? 0] = from + to + 2;
    from = to + 1;
  }
  return ranks;
}

/** P(sum = s) if each rank is included with probability 1/2. */
function signedRankDistribution(ranks: readonly number[]): Float64Array {
  let chances = Float64Array.of(1);
  for (const rank of ranks) {
    const next = new Float64Array(chances.length + rank);
    // Not by `entries()`, which makes an array for each sum: that took a quarter of all of a comparison's CPU.
    for (let sum = 0; sum < chances.length; sum++) {
      const half = (chances[sum] ?? 0) / 2;
      next[sum] = (next[sum] ?? 0) + half;
      // Lower sums come first, so nothing has been added to this one yet.
      next[sum + rank] = half;
    }
    chances = next;
  }
  return chances;
}

/** P(sum = s) for `chosen` of the ranks, all choices being equally likely. */
function rankSumDistribution(ranks: readonly number[], chosen: number): Float64Array {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const ways = Array.from({ length: chosen + 1 }, () => new Float64Array(total + 1));
  if (ways[0]) ways[0][0] = 1;
  for (const [seen, rank] of ranks.entries()) {
    for (let count = Math.min(chosen, seen + 1); count >= 1; count--) {
      const [fewer, more] = [ways[count - 1], ways[count]];
      if (!fewer || !more) continue;
      for (let sum = total - rank; sum >= 0; sum--) {
        more[sum + rank] = (more[sum + rank] ?? 0) + (fewer[sum] ?? 0);
      }
    }
  }
  const found = ways[chosen] ?? new Float64Array(1);
  const all = found.reduce((sum, way) => sum + way, 0);
  return found.map((way) => way / all);
}

function twoSided(chances: Float64Array, sum: number): number {
  let atMost = 0;
  let atLeast = 0;
  for (const [at, chance] of chances.entries()) {
    if (at <= sum) atMost += chance;
    if (at >= sum) atLeast += chance;
  }
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}

/**
 * Hodges–Lehmann estimate (the median of the individual shifts) and the interval of the shifts that the test does not reject.
 * @param untied without ties, the distribution of twice the number of individual shifts above 0 if there is no shift
 */
function shiftOf(shifts: readonly number[], untied: Float64Array): Omit<Shift, 'p'> {
  const sorted = [...shifts].sort((a, b) => a - b);
  let cut = 0;
  let chance = untied[0] ?? 1;
  while (chance <= ALPHA / 2) {
    cut++;
    chance += untied[2 * cut] ?? 1;
  }
  const [low, high] = [sorted[cut - 1], sorted[sorted.length - cut]];
  return {
    estimate: medianSorted(sorted),
    ...(low !== undefined && high !== undefined && { interval: { low, high } }),
  };
}

/**
 * Holm's correction. If all hypotheses with an adjusted p-value of at most 5 % are rejected, the probability of any false
 * rejection is at most 5 %.
 * @returns adjusted p-values in the order of the argument
 */
export function holmAdjusted(ps: readonly number[]): number[] {
  const adjusted = new Array<number>(ps.length).fill(1);
  let highest = 0;
  const inOrder = ps.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  for (const [rank, { p, index }] of inOrder.entries()) {
    highest = Math.max(highest, Math.min(1, (ps.length - rank) * p));
    adjusted[index] = highest;
  }
  return adjusted;
}
