import { plural } from '../../base/index.ts';
import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { overfullDay, refusedOnItsDay } from '../days/first-use.ts';
import { chargedOf, chargedWithin } from '../days/fullest.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { chargedFor, overfullSpan, unexplainedByLast } from '../days/spans.ts';
import { mostAtOnce } from '../engines/counted.ts';
import { moreThanBegan } from '../engines/since.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Reading } from '../reading.ts';

/** At most Q messages in any 24 hours. */
export const rollingDay: Reading<DaySlice> = {
  name: 'rolling',
  numbers: 'count',
  aliases: ['rolling-24h', 'sliding-log'],
  describe: ({ max }, whose) => `${plural(max, 'new message')}${whose} in any 24 hours`,
  overAdmission: (slice, { max, shortUs }) => overfullSpan(slice, max, shortUs, 0),
  unexplained: (slice, bounds) => unexplainedByLast(slice, bounds, bounds.longUs),
  wrongfulRefusal: (slice, bounds, position) => refusalWithin(slice, bounds, position, bounds.longUs),
};

/** A day of 24 hours begins with the first message after the end of the previous day. */
export const firstUseDay: Reading<DaySlice> = {
  name: 'first-use',
  numbers: 'count',
  aliases: ['fixed-window-first-request'],
  describe: ({ max }, whose) => `${plural(max, 'new message')}${whose} in the 24 hours from the first of them`,
  overAdmission: (slice, bounds) =>
    // If nothing had been charged before the run, its first day began no earlier than the first message was sent.
    moreThanBegan(slice, bounds, slice.firstSentUs, 'daily-distinct-messages') ??
    // A day that began before the span need not have counted the message that began it: it may have been refused, or invalid.
    overfullSpan(slice, bounds.max, bounds.shortUs, bounds.max),
  // Everything that counts was charged within the last 24 hours.
  unexplained: (slice, bounds) => unexplainedByLast(slice, bounds, bounds.longUs),
  wrongfulRefusal: (slice, bounds, position) => refusalWithin(slice, bounds, position, bounds.longUs),
  inconsistent: (slice, bounds) => refusedOnItsDay(slice, bounds) ?? overfullDay(slice, bounds),
};

/** A proof that too few messages were charged within a look-back. */
export function refusalWithin(
  slice: DaySlice,
  { max }: Bounds,
  position: number,
  lookBackUs: number,
): WrongfulRefusalDraft {
  const from = slice.from[position] as number;
  const to = slice.to[position] as number;
  return {
    rule: 'wrongful-refusal-daily',
    because: 'wrongful-refusal',
    refusal: position,
    lookBackUs,
    observed: mostAtOnce(chargedFor(chargedOf(slice), lookBackUs), { from, to }),
    needed: max,
    positions: chargedWithin(slice, from - lookBackUs, to),
  };
}
