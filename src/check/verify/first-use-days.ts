import type { Decided } from './raw.ts';

/** What was sent to one bucket, as far as days go that begin with a message. */
export interface RawDaysOfUse {
  /** Whatever may have begun a day, and what surely was charged to one. */
  readonly tries: readonly Decided[];
  readonly sure: readonly Decided[];
  /** 24 hours as short and as long as the service may make them. */
  readonly shortUs: number;
  readonly longUs: number;
}

/** Between which instants each day began, one after another; `undefined` where nobody knows of the first. */
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

/** Whether all of these were surely charged to one day. */
export function shareADay(charged: readonly Decided[], use: RawDaysOfUse): boolean {
  const first = charged.reduce((least, { from }) => Math.min(least, from), Infinity);
  const last = charged.reduce((most, { to }) => Math.max(most, to), -Infinity);
  return (daysOf(use) ?? []).some(({ from, to }, k, days) => {
    // What is charged when the day before is over begins the next, or finds it begun.
    const overBefore = (days[k - 1]?.to ?? -Infinity) + use.longUs;
    return first >= Math.min(to, overBefore) && last < from + use.shortUs;
  });
}

/** Since when each day may last in which something was decided; `undefined` where nobody knows. */
export function daysOpenAt(decided: Decided, use: RawDaysOfUse): number[] | undefined {
  return daysOf(use)
    ?.filter(({ from, to }, k, days) => {
      const isFollowed = (days[k + 1]?.to ?? Infinity) <= decided.from;
      return from <= decided.to && to + use.longUs >= decided.from && !isFollowed;
    })
    .map(({ from }) => from);
}
