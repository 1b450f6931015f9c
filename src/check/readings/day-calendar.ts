import { plural } from '../../base/index.ts';
import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../certificates/draft.ts';
import { type Calendar, calendarOf, HOUR_US, midnights } from '../days/calendar.ts';
import { beginOfItsDay, chargedOf, chargedWithin, mostOnItsDay, overfullDays } from '../days/fullest.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { neededFor } from '../days/needed.ts';
import { overfullSpan, unexplainedByLast } from '../days/spans.ts';
import { EARLIEST_OFFSET_US, LATEST_OFFSET_US, zoneCalendars } from '../days/zones.ts';
import { admittedOf } from '../engines/admitted.ts';
import { judgedRefusals } from '../engines/last-window.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Reading } from '../reading.ts';
import { refusalWithin } from './day-rolling.ts';

/** Days that end at 00:00 UTC on the service's clock. */
export const utcDay: Reading<DaySlice> = {
  name: 'utc',
  numbers: 'count',
  aliases: ['calendar-day'],
  describe: ({ max }, whose) => `${plural(max, 'new message')} a day${whose}, from 00:00 UTC`,
  overAdmission: (slice, bounds) => overfullCalendars(slice, bounds, utcCalendars(slice, bounds), bounds.shortUs),
  unexplained: (slice, bounds) => unexplainedIn(slice, bounds, utcCalendars(slice, bounds), bounds.longUs),
  wrongfulRefusal: (slice, bounds, position) =>
    calendarRefusal(slice, bounds, position, utcCalendars(slice, bounds), bounds.longUs),
};

/** The shortest and longest days of time zones, as fractions of 24 hours: clocks are set by up to two hours. */
export const SHORTEST = 22 / 24;
const LONGEST = 26 / 24;

/**
 * Days that end at midnight in the token's time zone. This may be any zone, the same for all tokens (the service may use its
 * own); or each token's zone, if the history shows several requested ones; or an unknown zone per token.
 */
export const timezoneDay: Reading<DaySlice> = {
  name: 'token-timezone',
  numbers: 'count',
  aliases: ['local-day'],
  describe: ({ max }, whose) => `${plural(max, 'new message')} a day${whose}, from midnight in the token's time zone`,
  overAdmission: (slice, bounds) =>
    overfullCalendars(slice, bounds, localCalendars(slice, bounds), shortestDay(slice, bounds)),
  unexplained: (slice, bounds) => {
    const { refusals } = bounds;
    const longest = longestDay(slice, bounds);
    // Local days may reach further back than two windows.
    return unexplainedIn(slice, bounds, localCalendars(slice, bounds), longest).filter(
      (position) => refusals.provable && (slice.from[position] as number) >= refusals.sinceUs + longest + bounds.longUs,
    );
  },
  wrongfulRefusal: (slice, bounds, position) =>
    calendarRefusal(slice, bounds, position, localCalendars(slice, bounds), longestDay(slice, bounds)),
};

/** How long one local date may last, taken over all tokens of a bucket. */
export function longestDay({ zones }: DaySlice, { longUs }: Bounds): number {
  return zones === 'one' ? longUs * LONGEST : longUs + LATEST_OFFSET_US - EARLIEST_OFFSET_US;
}

/** If tokens have different dates, days begin more often, as if they were shorter. */
const shortestDay = ({ zones }: DaySlice, { shortUs }: Bounds): number => (zones === 'one' ? shortUs * SHORTEST : 0);

/** Every calendar that the service may use; none if its clock was never seen. */
type Calendars = Iterable<Calendar> & { readonly known: boolean };

const utcCalendars = rememberedFor((slice: DaySlice, bounds: Bounds) =>
  onDemand(bounds, () => [calendarOf(midnights(bounds, lastOf(slice), 0), bounds)]),
);

const localCalendars = rememberedFor((slice: DaySlice, bounds: Bounds) =>
  onDemand(bounds, () => {
    const { zones } = slice;
    if (zones !== 'any') return zoneCalendars(bounds, lastOf(slice), zones === 'one' ? [] : zones);
    const spread = { beforeUs: LATEST_OFFSET_US, afterUs: -EARLIEST_OFFSET_US };
    return [calendarOf(midnights(bounds, lastOf(slice), 0), bounds, spread)];
  }),
);

/** Each calendar is computed when it is first asked for, once. */
function onDemand({ phaseUncertaintyUs }: Bounds, make: () => Iterable<Calendar>): Calendars {
  const known = Number.isFinite(phaseUncertaintyUs);
  const made: Calendar[] = [];
  const source = known ? make()[Symbol.iterator]() : undefined;
  return {
    known,
    *[Symbol.iterator]() {
      for (let i = 0; ; i++) {
        if (i === made.length) {
          const next = source?.next();
          if (!next || next.done) return;
          made.push(next.value);
        }
        yield made[i] as Calendar;
      }
    },
  };
}

function lastOf({ to }: DaySlice): number {
  let last = 0;
  for (const end of to) if (Number.isFinite(end) && end > last) last = end;
  return last;
}

/** More messages than allowed under each possible calendar. */
function overfullCalendars(
  slice: DaySlice,
  bounds: Bounds,
  calendars: Calendars,
  shortestUs: number,
): OverAdmissionDraft | undefined {
  const { max } = bounds;
  if (!calendars.known) return overfullSpan(slice, max, shortestUs, max);
  const admitted = admittedOf(slice);
  if (admitted.size <= max) return undefined;
  let named: readonly number[] = [];
  for (const calendar of calendars) {
    if (overfullDays(admitted, calendar, max, named)) continue;
    const more = overfullDays(admitted, calendar, max);
    if (!more) return undefined;
    named = [...new Set([...named, ...more])].sort((a, b) => a - b);
  }
  const positions = neededFor(admitted, [...calendars], max, named).map((i) => admitted.position[i] as number);
  // All of them are needed: with one less, some calendar has room for all.
  const [observed, possible] = [positions.length, positions.length - 1];
  return { rule: 'daily-distinct-messages', because: 'over-admission', observed, possible, positions };
}

/** Refusals on days to which, in every calendar, fewer than Q messages can have been charged. */
function unexplainedIn(slice: DaySlice, bounds: Bounds, calendars: Calendars, longestUs: number): readonly number[] {
  if (!calendars.known) return unexplainedByLast(slice, bounds, longestUs);
  // No calendar's day reaches back beyond this, so only later messages are examined.
  const unsureUs = bounds.slackUs + bounds.phaseUncertaintyUs + bounds.drift * lastOf(slice);
  const certain = new Set(unexplainedByLast(slice, bounds, longestUs + 4 * (unsureUs + HOUR_US)));
  const charged = chargedOf(slice);
  const explained = (position: number) => {
    const [from, to] = [slice.from[position] as number, slice.to[position] as number];
    for (const calendar of calendars) if (mostOnItsDay(charged, calendar, from, to) >= bounds.max) return true;
    return false;
  };
  return [...judgedRefusals(slice, bounds)].filter((position) => certain.has(position) || !explained(position));
}

function calendarRefusal(
  slice: DaySlice,
  bounds: Bounds,
  position: number,
  calendars: Calendars,
  longestUs: number,
): WrongfulRefusalDraft {
  if (!calendars.known) return refusalWithin(slice, bounds, position, longestUs);
  const from = slice.from[position] as number;
  const to = slice.to[position] as number;
  let observed = 0;
  let earliest = from;
  for (const calendar of calendars) {
    observed = Math.max(observed, mostOnItsDay(chargedOf(slice), calendar, from, to));
    earliest = Math.min(earliest, beginOfItsDay(calendar, from));
  }
  return {
    rule: 'wrongful-refusal-daily',
    because: 'wrongful-refusal',
    refusal: position,
    lookBackUs: longestUs,
    observed,
    needed: bounds.max,
    positions: chargedWithin(slice, earliest, to),
  };
}
