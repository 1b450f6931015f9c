import { Part } from '../evidence/slice.ts';
import type { LimitCase } from '../judging/limit-case.ts';
import type { Judged } from '../reading.ts';

/**
 * The same limit, of the attempts alone that may have been decided before an instant. Such a beginning is a history of its own, and
 * what it rules out, the whole one rules out. Its buckets are made anew: to make those of a long history in every scope, only to cut
 * them, could take minutes.
 * @param most at most so many attempts: those of one instant stay together
 */
export const beginningOf = <S extends Judged>(
  { before, asDeclared }: LimitCase<S>,
  most: number,
): LimitCase<S> | undefined => before?.(instantAfter(most, asDeclared.slices()));

/** @returns ∞ if there are no more */
function instantAfter<S extends Judged>(most: number, slices: readonly S[]): number {
  const begins = new Float64Array(slices.reduce((sum, { size }) => sum + size, 0));
  let at = 0;
  for (const { from, size } of slices) for (let i = 0; i < size; i++) begins[at++] = from[i] as number;
  return begins.sort()[most] ?? Number.POSITIVE_INFINITY;
}

/** Without a refusal, any number that was never reached would fit. */
export const isAnyRefused = <S extends Judged>({ asDeclared }: LimitCase<S>): boolean =>
  asDeclared.slices().some(({ part }) => Array.prototype.includes.call(part, Part.refused));
