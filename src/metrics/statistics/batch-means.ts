import { CONFIDENCE } from './bounds.ts';
import { studentQuantile } from './incomplete-beta.ts';

/** The samples of one time interval: how many there are, and how many of them are not above a value (fractions are estimates). */
export interface Batch {
  readonly count: number;
  readonly notAbove: number;
}

/** With fewer batches, their variance is too uncertain. */
const FEWEST_BATCHES = 10;

/** A stronger correlation cannot be told from a change that the run saw once. */
const HIGHEST_CORRELATION = 0.9;

/**
 * How many independent samples are worth as much as these, for the share of them at or below a value: by the variance of that share
 * between time intervals (batch means; the ratio estimator, because intervals have unequal numbers of samples), as Korn and
 * Graubard, Confidence Intervals for Proportions with Small Expected Number of Positive Counts (1998), do for surveys. While a
 * service is slow, neighbouring samples are all slow, and many of them are worth few.
 * @param batches in the order of time
 * @param neighbours `alike` if slow spells may be longer than an interval, so that neighbouring intervals count as fewer, as in an
 *   autoregressive process of first order; `independent` if the share of just these intervals is wanted, whatever its trend
 * @returns not more than there are; `undefined` with too few batches
 */
export function independentSamples(batches: readonly Batch[], neighbours: 'alike' | 'independent'): number | undefined {
  const filled = batches.filter(({ count }) => count > 0);
  if (filled.length < FEWEST_BATCHES) return undefined;
  const count = filled.reduce((sum, batch) => sum + batch.count, 0);
  const share = filled.reduce((sum, batch) => sum + batch.notAbove, 0) / count;
  const deviations = filled.map((batch) => batch.notAbove - share * batch.count);
  const squares = sumOfProducts(deviations, deviations);
  if (squares === 0) return count;
  const correlation = neighbours === 'alike' ? lagOneCorrelation(deviations, squares) : 0;
  // How many intervals are worth one that is independent of the others.
  const perIndependent = (1 + correlation) / (1 - correlation);
  const variance = ((filled.length / (filled.length - 1)) * squares * perIndependent) / count ** 2;
  const freedom = Math.max(1, (filled.length - 1) / perIndependent);
  const uncertainty = studentQuantile(CONFIDENCE, freedom) / studentQuantile(CONFIDENCE, count - 1);
  return Math.min(count, (share * (1 - share)) / (variance * uncertainty ** 2));
}

/** Correlation of each interval with the next. The estimate is too low by about one divided by their number, which is added. */
function lagOneCorrelation(deviations: readonly number[], squares: number): number {
  const estimate = sumOfProducts(deviations, deviations.slice(1)) / squares + 1 / deviations.length;
  return Math.min(Math.max(0, estimate), HIGHEST_CORRELATION);
}

const sumOfProducts = (left: readonly number[], right: readonly number[]): number =>
  right.reduce((sum, value, index) => sum + value * (left[index] as number), 0);
