import { formatDuration } from '../base/index.ts';
import type { Evidence } from './evidence.ts';
import type { LimitCase } from './limit-case.ts';
import type { Judged } from './reading.ts';
import { Part } from './slice.ts';

/*
 * What a limit that is undecided lacks.
 */

/** Where each known way to count is ruled out by refusals of its own, some other one that blocks after a refusal may be the true one. */
export const NOT_ALL_RULED_OUT =
  'the way in which the service counts: each that is known is ruled out, but not all by one proof, and one that blocks for a while after a refusal may be left (declare it: --declared; or say in the profile by whom it is counted: scopeKnown)';

/** Where the declared scope rules out every reading, and a narrower one, which may be the true one, does not. */
export const exceededByScope = (scope: string): string =>
  `who is counted together: by ${scope} more was admitted than any reading allows, but the service may count more narrowly (where the scope is sure, say so in the profile: scopeKnown)`;

/** A service that refuses whatever comes has shown no limit, kept or not: who refuses everything exceeds nothing. */
export const NOTHING_ADMITTED = 'an admitted request: refusals alone show no limit';

/** Where turns were accepted and refused, and too few of them were seen to go on: a stream tells when a turn ended, not that it goes on still. */
export const seenTooLate = (max: number): string =>
  `${max} turn${max === 1 ? '' : 's'} seen to go on at once: whether more were is not known (follow turns by polls, or by both)`;

/** A tenth of a minute is too much to be unsure of: what would prove most excesses and most wrong refusals lies nearer together. */
const TOLERABLE_US = 6_000_000;

/** Where lengths of time at the service are too unsure to prove much. */
export function unsureClock<S extends Judged>({ bounds }: LimitCase<S>, { timeline }: Evidence): string[] {
  if (timeline.stepUs <= Math.max(TOLERABLE_US, bounds.windowUs / 10)) return [];
  const why = timeline.mayLackRecords
    ? 'records of it are missing from the history'
    : `what its answers say of the time contradicts itself by ${formatDuration(timeline.stepUs)}`;
  return [`the clock of the service: ${why}`];
}

/** Where no refusal shows that it was reached. @param attributed how many name it, or can be none but its own */
export function missingFor<S extends Judged>(
  { limit, bounds, asDeclared }: LimitCase<S>,
  attributed: number,
  evidence: Evidence,
): string[] {
  if (attributed > 0)
    return [`a refusal that the ${limit} limit explains: those that name it do not show that it was reached`];
  const ambiguous = asDeclared.slices().some(({ part }) => Array.prototype.includes.call(part, Part.ambiguous));
  return [
    ambiguous
      ? `a refusal that is surely by the ${limit} limit: the service does not say which limit its refusals mean`
      : `a refusal: the ${limit} limit was not reached`,
    ...(bounds.refusals.provable ? [] : bounds.refusals.missing),
    ...(evidence.size === 0 ? ['exchanges'] : []),
  ];
}
