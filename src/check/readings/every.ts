import type { Bounds } from '../bounds.ts';
import { HOUR_US } from '../days/calendar.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { overfullSpan, unexplainedByLast } from '../days/spans.ts';
import { unblockedIn } from '../engines/blocked.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import { refusedByNone, universalRefusal } from '../engines/universal-refusal.ts';
import type { Judged, Reading } from '../reading.ts';
import type { Slice } from '../slice.ts';
import type { TurnSlice } from '../slots/turn-slice.ts';
import { acceptedToFinished, processingOnly } from './concurrency.ts';
import { longestDay, SHORTEST } from './day-calendar.ts';
import { refusalWithin } from './day-rolling.ts';

/*
 * What rules out all readings of a limit by one proof. Readings may all be ruled out, each by its own, where there is none.
 */

/** The engines of a reading, under the name `every`. */
export type Every<S extends Judged> = Pick<Reading<S>, 'name' | 'overAdmission' | 'unexplained' | 'wrongfulRefusal'> & {
  /**
   * Whether no refusal before a position can be why it was refused. A refusal may block for a window whatever counts, so that where no
   * reading is declared the known ones are not all that there is. Absent: refusals of this limit block nothing.
   */
  readonly unblocked?: (slice: S, bounds: Bounds) => (position: number) => boolean;
};

export const everyRate: Every<Slice> = {
  name: 'every',
  overAdmission: (slice, bounds) => (bounds.shortUs > 0 ? universalOverAdmission(slice, bounds) : undefined),
  unexplained: refusedByNone,
  wrongfulRefusal: universalRefusal,
  unblocked: unblockedIn,
};

/** A turn in process holds a slot whatever else does; and none that was not accepted does. */
export const everyConcurrency: Every<TurnSlice> = {
  name: 'every',
  overAdmission: processingOnly.overAdmission,
  unexplained: acceptedToFinished.unexplained,
  wrongfulRefusal: acceptedToFinished.wrongfulRefusal,
};

/** No day, wherever it begins, is shorter than 22 hours or reaches further back than the longest local one. */
export const everyDaily: Every<DaySlice> = {
  name: 'every',
  overAdmission: (slice, { max, shortUs }) =>
    slice.zones === 'one' ? overfullSpan(slice, max, shortUs * SHORTEST, max) : undefined,
  unexplained: (slice, bounds) => {
    const { refusals, longUs } = bounds;
    const back = furthestBack(slice, bounds);
    const isKnown = (position: number) =>
      refusals.provable && (slice.from[position] as number) >= refusals.sinceUs + back + longUs;
    return unexplainedByLast(slice, bounds, back).filter(isKnown);
  },
  wrongfulRefusal: (slice, bounds, position) => refusalWithin(slice, bounds, position, furthestBack(slice, bounds)),
};

/** Beyond this no day reaches back, whatever the service's clock shows; where nobody saw it, as if it showed the right time. */
function furthestBack(slice: DaySlice, bounds: Bounds): number {
  const { slackUs, phaseUncertaintyUs, drift } = bounds;
  const unsureUs = Number.isFinite(phaseUncertaintyUs) ? slackUs + phaseUncertaintyUs : slackUs;
  const last = slice.to.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, b) : a), 0);
  return longestDay(slice, bounds) + 4 * (unsureUs + drift * last + HOUR_US);
}
