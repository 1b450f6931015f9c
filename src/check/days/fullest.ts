import type { Admitted } from '../engines/admitted.ts';
import { countBelow, countUpTo } from '../engines/counted.ts';
import { Part } from '../slice.ts';
import type { Calendar } from './calendar.ts';
import type { DaySlice } from './message-slice.ts';

/**
 * Indices of admitted messages that no division among days can hold: more than Q·m of them surely lie within m days in a
 * row (Hall's condition, which is exact here because each may lie in consecutive days only). Exactly Q·m + 1, of the fewest days.
 * @param among only these indices are considered; absent: all
 */
export function overfullDays(
  admitted: Admitted,
  calendar: Calendar,
  max: number,
  among?: readonly number[],
): readonly number[] | undefined {
  const indices = among ?? Array.from({ length: admitted.size }, (_, i) => i);
  const days = indices.map((i) => ({
    first: countUpTo(calendar.latest, admitted.from[i] as number),
    last: countUpTo(calendar.earliest, admitted.to[i] as number),
  }));
  const range = overfullRange(days, max);
  if (!range) return undefined;
  const inside = indices.filter((_, k) => {
    const day = days[k];
    return day !== undefined && day.first >= range.first && day.last <= range.last;
  });
  return inside.slice(0, max * (range.last - range.first + 1) + 1);
}

interface Days {
  readonly first: number;
  readonly last: number;
}

function overfullRange(days: readonly Days[], max: number): Days | undefined {
  const counts = new Map<number, Map<number, number>>();
  for (const { first, last } of days) {
    const byLast = counts.get(first) ?? new Map<number, number>();
    counts.set(first, byLast.set(last, (byLast.get(last) ?? 0) + 1));
  }
  const firsts = [...counts.keys()].sort((a, b) => b - a);
  const sums = new Map<number, number>();
  let found: Days | undefined;
  for (const first of firsts) {
    for (const [last, count] of counts.get(first) ?? []) sums.set(last, (sums.get(last) ?? 0) + count);
    let sum = 0;
    for (const last of [...sums.keys()].sort((a, b) => a - b)) {
      sum += sums.get(last) as number;
      const shorter = !found || last - first < found.last - found.first;
      if (shorter && sum > max * (last - first + 1)) found = { first, last };
    }
  }
  return found;
}

/** What may have been charged, as two sorted lists. */
export interface Charged {
  readonly from: Float64Array;
  readonly to: Float64Array;
}

const memo = new WeakMap<DaySlice, Charged>();

export function chargedOf(slice: DaySlice): Charged {
  const known = memo.get(slice);
  if (known) return known;
  const counts = (_: number, i: number) => slice.part[i] === Part.admitted || slice.part[i] === Part.maybe;
  const charged = { from: slice.from.filter(counts), to: slice.to.filter(counts).sort() };
  memo.set(slice, charged);
  return charged;
}

/** The most messages that may have been charged to a day in which a refusal was decided within [from, to], before it. */
export function mostOnItsDay(
  { from: starts, to: ends }: Charged,
  calendar: Calendar,
  from: number,
  to: number,
): number {
  const first = countUpTo(calendar.latest, from);
  const last = countUpTo(calendar.earliest, to);
  let most = 0;
  for (let day = first; day <= last; day++) {
    const begins = calendar.earliest[day - 1] ?? Number.NEGATIVE_INFINITY;
    const over = calendar.latest[day] ?? Number.POSITIVE_INFINITY;
    const begun = over <= to ? countBelow(starts, over) : countUpTo(starts, to);
    most = Math.max(most, begun - countBelow(ends, Math.min(begins, to)));
  }
  return most;
}

/** Positions of the messages that may have been charged to such a day. */
export function chargedOnItsDay(slice: DaySlice, calendar: Calendar, from: number, to: number): number[] {
  const begins = calendar.earliest[countUpTo(calendar.latest, from) - 1] ?? Number.NEGATIVE_INFINITY;
  return chargedWithin(slice, Math.min(begins, to), to);
}

/** Positions of the messages that may have been charged within [from, to]. */
export function chargedWithin(slice: DaySlice, from: number, to: number): number[] {
  const counts = (i: number) => slice.part[i] === Part.admitted || slice.part[i] === Part.maybe;
  return [...slice.part.keys()].filter(
    (i) => counts(i) && (slice.from[i] as number) <= to && (slice.to[i] as number) >= from,
  );
}
