import type { Bounds } from '../evidence/bounds.ts';
import { type Calendar, calendarOf, DAY_US, HOUR_US, midnights } from './calendar.ts';

const QUARTER_US = HOUR_US / 4;
/** Offsets of time zones from UTC: −12 to +14 hours, in quarters of an hour. */
export const OFFSETS_US: readonly number[] = Array.from({ length: 105 }, (_, i) => -12 * HOUR_US + i * QUARTER_US);
export const EARLIEST_OFFSET_US = -12 * HOUR_US;
export const LATEST_OFFSET_US = 14 * HOUR_US;

/**
 * Every calendar that a time zone may have had around a run: fixed offsets first, then zones whose offset changed in that time.
 * @param together zones of which different tokens have different ones; if present, the calendar of all of them together comes
 * first
 */
export function* zoneCalendars(bounds: Bounds, lastUs: number, together: readonly string[]): Generator<Calendar> {
  if (together.length > 0) yield zonesTogether(bounds, lastUs, together);
  for (const offset of OFFSETS_US) yield calendarOf(midnights(bounds, lastUs, offset), bounds);
  const utc = midnights(bounds, lastUs, 0);
  for (const local of changingZones(utc[0] ?? 0, utc[utc.length - 1] ?? 0)) yield calendarOf(local, bounds);
}

/** A date begins first in one of the zones and last in another, and a message may be of any token. */
function zonesTogether(bounds: Bounds, lastUs: number, names: readonly string[]): Calendar {
  const utc = midnights(bounds, lastUs, 0);
  const calendars = names.map((name) => calendarOf(midnightsOf(offsetsOf(name), utc), bounds));
  const across = (side: keyof Calendar, choose: (...instants: number[]) => number) =>
    Float64Array.from(utc, (_, i) => choose(...calendars.map((calendar) => calendar[side][i] as number)));
  return { earliest: across('earliest', Math.min), latest: across('latest', Math.max) };
}

const remembered = new Map<string, readonly (readonly number[])[]>();
const MOST_REMEMBERED = 64;

/**
 * Midnights of the zones whose offset changes between two midnights of UTC, each different list once. Looking up offsets is slow
 * and histories are judged under many scopes, so the last answers are cached.
 */
function changingZones(from: number, to: number): readonly (readonly number[])[] {
  const key = `${from} ${to}`;
  const known = remembered.get(key);
  if (known) return known;
  const different = new Map<string, readonly number[]>();
  const utc = Array.from({ length: Math.round((to - from) / DAY_US) + 1 }, (_, i) => from + i * DAY_US);
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    const offsetAt = offsetsOf(zone);
    if (!changes(offsetAt, from, to)) continue;
    const local = midnightsOf(offsetAt, utc);
    different.set(local.join(), local);
  }
  const found = [...different.values()];
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}

type OffsetAt = (instantUs: number) => number;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

const offsets = new Map<string, Map<number, number>>();
/** Entries per zone: enough for the midnights of many runs. */
const MOST_OFFSETS = 256;

/** Offset from UTC, µs, at an instant, µs since 1970. The last answers are cached. */
function offsetsOf(zone: string): OffsetAt {
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  return (instantUs) => {
    const second = Math.floor(instantUs / 1e6);
    const before = known.get(second);
    if (before !== undefined) return before;
    if (known.size >= MOST_OFFSETS) known.clear();
    const offset = offsetIn(formatOf(zone), second);
    known.set(second, offset);
    return offset;
  };
}

function offsetIn(format: Intl.DateTimeFormat, second: number): number {
  const parts = new Map(format.formatToParts(second * 1_000).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local * 1_000 - second * 1e6;
}

function changes(offsetAt: OffsetAt, from: number, to: number): boolean {
  const first = offsetAt(from);
  for (let t = from + DAY_US; t <= to; t += DAY_US) if (offsetAt(t) !== first) return true;
  return false;
}

/** The first instant of each local date; if the clock skips midnight, the instant of the skip. */
function midnightsOf(offsetAt: OffsetAt, utcMidnights: readonly number[]): number[] {
  return utcMidnights.map((midnight) => {
    // Local time reaches the date's begin somewhere within the range of offsets; found by bisection, in whole seconds.
    let before = midnight - LATEST_OFFSET_US - HOUR_US;
    let after = midnight - EARLIEST_OFFSET_US + HOUR_US;
    const offset = offsetAt(before);
    if (offsetAt(after) === offset) return midnight - offset;
    while (after - before > 1e6) {
      const middle = before + Math.round((after - before) / 2 / 1e6) * 1e6;
      if (middle + offsetAt(middle) >= midnight) after = middle;
      else before = middle;
    }
    return after;
  });
}
