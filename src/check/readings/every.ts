import { HOUR_US } from '../days/calendar.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { overfullSpan, unexplainedByLast } from '../days/spans.ts';
import { unblockedIn } from '../engines/blocked.ts';
import { unexplainedByLastWindow } from '../engines/last-window.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import { refusedByNone, universalRefusal } from '../engines/universal-refusal.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Judged, Reading } from '../reading.ts';
import type { TurnSlice } from '../slots/turn-slice.ts';
import { acceptedToFinished, processingOnly } from './concurrency.ts';
import { longestDay, SHORTEST } from './day-calendar.ts';
import { refusalWithin } from './day-rolling.ts';

/** Checks that rule out all readings of a limit by one proof. All readings may also be ruled out separately, without such a proof. */

/** The engines of a reading, under the name `every`. */
export type Every<S extends Judged> = Pick<Reading<S>, 'name' | 'overAdmission' | 'unexplained' | 'wrongfulRefusal'> & {
  /**
   * For a refused position: whether no earlier refusal can be the cause. A refusal may block for a window whatever counts, so the
   * known readings are not the only possible ones if none is declared. Absent: refusals of this limit never block.
   */
  readonly unblocked?: (slice: S, bounds: Bounds) => (position: number) => boolean;
  /**
   * What the ways to count that no reading describes have in common, those aside that count refusals or block: they admit what
   * `overAdmission` allows, and refuse only what this explains. Absent: the readings are all that there are.
   */
  readonly unlisted?: Pick<Reading<S>, 'unexplained'>;
  /** Whether days may also begin where no reading has them begin, as with a reset at 00:05. Absent: readings leave no gaps. */
  readonly begins?: 'at-any-time';
};

export const everyRate: Every<Slice> = {
  name: 'every',
  overAdmission: (slice, bounds) => (bounds.shortUs > 0 ? universalOverAdmission(slice, bounds) : undefined),
  unexplained: refusedByNone,
  wrongfulRefusal: universalRefusal,
  unblocked: unblockedIn,
  unlisted: { unexplained: unexplainedByLastWindow },
};

/** A turn in process holds a slot under every reading, and a message that was not accepted holds none. */
export const everyConcurrency: Every<TurnSlice> = {
  name: 'every',
  overAdmission: processingOnly.overAdmission,
  unexplained: acceptedToFinished.unexplained,
  wrongfulRefusal: acceptedToFinished.wrongfulRefusal,
};

/** No day, wherever it begins, is shorter than 22 hours or reaches further back than the longest local day. */
export const everyDaily: Every<DaySlice> = {
  name: 'every',
  begins: 'at-any-time',
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

/** No day reaches back beyond this, whatever the service's clock shows; if it was never seen, it is assumed to be right. */
function furthestBack(slice: DaySlice, bounds: Bounds): number {
  const { slackUs, phaseUncertaintyUs, drift } = bounds;
  const unsureUs = Number.isFinite(phaseUncertaintyUs) ? slackUs + phaseUncertaintyUs : slackUs;
  const last = slice.to.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, b) : a), 0);
  return longestDay(slice, bounds) + 4 * (unsureUs + drift * last + HOUR_US);
}
