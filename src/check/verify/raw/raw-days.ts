import { greatest, least } from './extremes.ts';
import type { Decided } from './raw.ts';
import type { RawHistory } from './raw-history.ts';

export const HOUR_US = 3_600_000_000;
export const DAY_US = 24 * HOUR_US;

/** How the service tells time, taken again from the header and the clock records. */
export interface RawClock {
  readonly originUs: number;
  /** Uncertainty of absolute instants at the run's start; infinite if nobody saw the clock. */
  readonly unsureUs: number;
  readonly drift: number;
  /** How much longer or shorter a span may look to the service. */
  readonly slackUs: number;
  /** The shortest and the longest duration of 24 hours on the service's clock. */
  readonly shortUs: number;
  readonly longUs: number;
}

export function rawClock({ header, timeline }: RawHistory): RawClock {
  const drift = header.clock.driftPpm / 1e6;
  const slack = header.clock.granularityUs + timeline.stepUs;
  return {
    originUs: timeline.originUs,
    unsureUs: timeline.phaseUncertaintyUs + slack,
    drift,
    slackUs: slack,
    shortUs: Math.max(0, DAY_US * (1 - drift) - slack),
    longUs: (DAY_US + slack) / (1 - drift),
  };
}

/** The range of days in which something decided within an interval may lie. */
export type Days = (decided: Decided) => { readonly first: number; readonly last: number };

/** Instants since 1970 are rounded to quarters of a microsecond. */
const ROUNDED_US = 2;

/** The absolute range in which the interval certainly lies. */
function absolute({ originUs, unsureUs, drift }: RawClock, { from, to }: Decided): Decided {
  // Without this case, an unknown instant times a drift of 0 would be NaN.
  const offAt = (t: number) => ROUNDED_US + (Number.isFinite(t) ? unsureUs + drift * Math.abs(t) : unsureUs);
  return { from: originUs + from - offAt(from), to: originUs + to + offAt(to) };
}

/** Dates on a clock that is between `leastUs` and `mostUs` ahead of UTC. */
export const utcDays =
  (clock: RawClock, leastUs: number, mostUs: number): Days =>
  (decided) => {
    const { from, to } = absolute(clock, decided);
    return { first: Math.floor((from + leastUs) / DAY_US), last: Math.floor((to + mostUs) / DAY_US) };
  };

/** Dates for every offset from UTC in quarters of an hour, and for every zone whose offset changes around those times. */
export function localDays(clock: RawClock, over: readonly Decided[]): Days[] {
  const days: Days[] = [];
  for (let quarter = -48; quarter <= 56; quarter++)
    days.push(utcDays(clock, (quarter * HOUR_US) / 4, (quarter * HOUR_US) / 4));
  const begin = clock.originUs + least(over.map(({ from }) => from)) - 2 * DAY_US;
  const end = clock.originUs + greatest(over.map(({ to }) => to)) + 2 * DAY_US;
  for (const zone of changingZones(Math.floor(begin / DAY_US), Math.ceil(end / DAY_US)))
    days.push(zoneDays(clock, zone));
  return days;
}

/** Possible dates if it is unknown which of these zones applies. */
export function daysOfSeveral(clock: RawClock, zones: readonly string[]): Days {
  const each = zones.map((zone) => zoneDays(clock, zone));
  return (decided) => {
    const days = each.map((daysOf) => daysOf(decided));
    return { first: Math.min(...days.map(({ first }) => first)), last: Math.max(...days.map(({ last }) => last)) };
  };
}

const remembered = new Map<string, readonly string[]>();
const MOST_REMEMBERED = 64;

/** Zones whose offset changes between two days since 1970. The last answers are cached. */
function changingZones(firstDay: number, lastDay: number): readonly string[] {
  const key = `${firstDay} ${lastDay}`;
  const known = remembered.get(key);
  if (known) return known;
  const changes = (zone: string) => offsetChanges(zone, firstDay * DAY_US, lastDay * DAY_US);
  const found = Intl.supportedValuesOf('timeZone').filter(changes);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}

const offsetFormats = new Map<string, Intl.DateTimeFormat>();

function offsetChanges(zone: string, begin: number, end: number): boolean {
  const made = () => new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' });
  const offset = offsetFormats.get(zone) ?? made();
  offsetFormats.set(zone, offset);
  const nameAt = (t: number) => offset.formatToParts(t / 1_000).find(({ type }) => type === 'timeZoneName')?.value;
  const first = nameAt(begin);
  for (let t = begin + DAY_US / 2; t <= end; t += DAY_US / 2) if (nameAt(t) !== first) return true;
  return false;
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** In the form year-month-day, which Date reads as UTC. */
const dateForm = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

function zoneDays(clock: RawClock, zone: string): Days {
  const date = dateFormats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...dateForm });
  dateFormats.set(zone, date);
  const dayAt = (t: number) => {
    if (!Number.isFinite(t)) return t;
    return Date.parse(`${date.format(Math.floor(t / 1_000))}T00:00:00Z`) / 86_400_000;
  };
  return (decided) => {
    const { from, to } = absolute(clock, decided);
    return { first: dayAt(from), last: dayAt(to) };
  };
}
