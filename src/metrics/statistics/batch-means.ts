import { CONFIDENCE } from './bounds.ts';
import { studentQuantile } from './incomplete-beta.ts';

/** The samples of one time interval: how many there are, and how many of them are not above a value (fractions are estimates). */
export interface Batch {
  readonly count: number;
  readonly notAbove: number;
}

/** With fewer batches, their variance is too uncertain. */
const FEWEST_BATCHES = 10;

/**
 * Error of the share of samples at or below a value, estimated from its variance between time intervals (batch means, with the
 * ratio estimator because intervals have unequal numbers of samples). Unlike the binomial formula it does not assume
 * independent samples: while a service is slow, neighbouring samples are all slow.
 * @returns distance of a one-sided 95 % bound from the share, as a share; `undefined` with too few batches
 */
export function batchError(batches: readonly Batch[]): number | undefined {
  const filled = batches.filter(({ count }) => count > 0);
  if (filled.length < FEWEST_BATCHES) return undefined;
  const count = filled.reduce((sum, batch) => sum + batch.count, 0);
  const share = filled.reduce((sum, batch) => sum + batch.notAbove, 0) / count;
  const squares = filled.reduce((sum, batch) => sum + (batch.notAbove - share * batch.count) ** 2, 0);
  const error = Math.sqrt((filled.length / (filled.length - 1)) * squares) / count;
  return studentQuantile(CONFIDENCE, filled.length - 1) * error;
}
