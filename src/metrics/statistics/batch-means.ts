import { CONFIDENCE } from './bounds.ts';
import { studentQuantile } from './incomplete-beta.ts';

/** Samples of one stretch of time: how many, and how many of them are not above a value. */
export interface Batch {
  readonly count: number;
  readonly notAbove: number;
}

/** Fewer batches say too little about how they scatter. */
const FEWEST_BATCHES = 10;

/**
 * How far the share of samples at or below a value may be off, judged by how it scatters from one stretch of time to the
 * next (batch means, ratio form, since stretches hold unequally many). Unlike the binomial formula it does not assume that
 * neighbouring samples are independent: a service that is slow for some seconds makes all of them slow.
 * @returns half the width of a one-sided 95 % bound, in shares; `undefined` with too few batches
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
