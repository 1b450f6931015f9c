import type { Decided } from '../raw/raw.ts';

/** Everything sent to one bucket that matters for days that begin with a message. */
export interface RawDaysOfUse {
  /** `tries`: everything that may have begun a day. `sure`: what was certainly charged to one. */
  readonly tries: readonly Decided[];
  readonly sure: readonly Decided[];
  /** The shortest and the longest duration of 24 hours on the service's clock. */
  readonly shortUs: number;
  readonly longUs: number;
}

/** The range in which each day began, in succession; `undefined` if the first is unknown. */
function daysOf({ tries, sure, shortUs, longUs }: RawDaysOfUse): Decided[] | undefined {
  if (shortUs <= 0 || tries.some(({ from }) => from === Number.NEGATIVE_INFINITY)) return undefined;
  const days: Decided[] = [];
  const begins = (since: number) =>
    tries.reduce((first, { from, to }) => (to >= since ? Math.min(first, Math.max(from, since)) : first), Infinity);
  const hasBegun = (since: number) =>
    sure.reduce((first, { from, to }) => (from >= since ? Math.min(first, to) : first), Infinity);
  let day: Decided = { from: begins(-Infinity), to: hasBegun(-Infinity) };
  while (Number.isFinite(day.from)) {
    days.push(day);
    day = { from: begins(day.from + shortUs), to: hasBegun(day.to + longUs) };
  }
  return days;
}

/** Whether all of these were certainly charged to one day. */
export function shareADay(charged: readonly Decided[], use: RawDaysOfUse): boolean {
  const first = charged.reduce((least, { from }) => Math.min(least, from), Infinity);
  const last = charged.reduce((most, { to }) => Math.max(most, to), -Infinity);
  return (daysOf(use) ?? []).some(({ from, to }, k, days) => {
    // A message charged after the end of a day begins the next, or finds it begun.
    const overBefore = (days[k - 1]?.to ?? -Infinity) + use.longUs;
    return first >= Math.min(to, overBefore) && last < from + use.shortUs;
  });
}

/** The earliest begin of any day in which the decision may lie; `undefined` if unknown. */
export function daysOpenAt(decided: Decided, use: RawDaysOfUse): number[] | undefined {
  return daysOf(use)
    ?.filter(({ from, to }, k, days) => {
      const isFollowed = (days[k + 1]?.to ?? Infinity) <= decided.from;
      return from <= decided.to && to + use.longUs >= decided.from && !isFollowed;
    })
    .map(({ from }) => from);
}
