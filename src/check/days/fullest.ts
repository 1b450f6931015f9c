import type { Admitted } from '../engines/admitted.ts';
import { countBelow, countUpTo, type Spans } from '../engines/counted.ts';
import { floatsWhere } from '../evidence/columns.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { isRefusal } from '../evidence/slice.ts';
import { risen } from '../rising.ts';
import type { Calendar } from './calendar.ts';
import type { DaySlice } from './message-slice.ts';

/**
 * Indices of admitted messages that no assignment to days can hold: more than Q·m of them certainly lie within m consecutive days
 * (Hall's condition, which is exact here because each may lie in consecutive days only). Exactly Q·m + 1.
 * @param among only these indices are considered; absent: all
 */
export function overfullDays(
  admitted: Admitted,
  calendar: Calendar,
  max: number,
  among?: readonly number[],
): readonly number[] | undefined {
  const indices = among ?? Array.from({ length: admitted.size }, (_, i) => i);
  const days = indices.map((i) => daysOf(admitted, calendar, i));
  const range = overfullRange(countsOf(days), max);
  if (!range) return undefined;
  const inside = indices.filter((_, k) => {
    const day = days[k];
    return day !== undefined && day.first >= range.first && day.last <= range.last;
  });
  return inside.slice(0, max * (range.last - range.first + 1) + 1);
}

export interface Days {
  readonly first: number;
  readonly last: number;
}

/** The days on which a message may lie. */
export const daysOf = ({ from, to }: Admitted, { earliest, latest }: Calendar, i: number): Days => ({
  first: countUpTo(latest, from[i] as number),
  last: countUpTo(earliest, to[i] as number),
});

/** Number of messages, by the first and then by the last day on which they may lie. */
type DayCounts = Map<number, Map<number, number>>;

export function countsOf(days: readonly Days[]): DayCounts {
  const counts: DayCounts = new Map();
  for (const one of days) addTo(counts, one, 1);
  return counts;
}

export function addTo(counts: DayCounts, { first, last }: Days, more: 1 | -1): void {
  const byLast = counts.get(first) ?? new Map<number, number>();
  counts.set(first, byLast.set(last, (byLast.get(last) ?? 0) + more));
}

/** Of the day ranges that end first among those that cannot hold their messages, the shortest. */
export function overfullRange(counts: DayCounts, max: number): Days | undefined {
  const last = firstMissed(counts, max);
  if (last === undefined) return undefined;
  let sum = 0;
  for (const first of [...counts.keys()].filter((day) => day <= last).sort((a, b) => b - a)) {
    for (const [end, count] of counts.get(first) ?? []) if (end <= last) sum += count;
    if (sum > max * (last - first + 1)) return { first, last };
  }
  return undefined;
}

/** Assigns to each day the messages with the earliest last day; the first day on which a message has missed its last day. */
function firstMissed(counts: DayCounts, max: number): number | undefined {
  const begins = [...counts.keys()].sort((a, b) => a - b);
  const waiting = new Map<number, number>();
  let next = 0;
  for (let day = begins[0] ?? 0; next < begins.length || waiting.size > 0; day++) {
    if (waiting.size === 0) day = Math.max(day, begins[next] ?? day);
    if (begins[next] === day) {
      for (const [last, count] of counts.get(day) ?? []) waiting.set(last, (waiting.get(last) ?? 0) + count);
      next += 1;
    }
    let room = max;
    for (const last of [...waiting.keys()].sort((a, b) => a - b)) {
      const left = Math.max(0, (waiting.get(last) as number) - room);
      room = Math.max(0, room - (waiting.get(last) as number));
      if (left === 0) waiting.delete(last);
      else if (last <= day) return day;
      else waiting.set(last, left);
    }
  }
  return undefined;
}

/** What may have been charged. */
export const chargedOf = rememberedFor(({ from, to, part }: DaySlice): Spans => {
  const counts = (i: number) => !isRefusal(part[i]);
  return { starts: floatsWhere(from, counts), ends: risen(floatsWhere(to, counts)) };
});

/** The most messages that may have been charged, before a refusal that was decided within [from, to], to the day of that refusal. */
export function mostOnItsDay({ starts, ends }: Spans, calendar: Calendar, from: number, to: number): number {
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

/** The earliest begin of a day that contains a refusal which began at `from`. */
export const beginOfItsDay = (calendar: Calendar, from: number): number =>
  calendar.earliest[countUpTo(calendar.latest, from) - 1] ?? Number.NEGATIVE_INFINITY;

/** Positions of the messages that may have been charged within [from, to]. */
export function chargedWithin(slice: DaySlice, from: number, to: number): number[] {
  return [...slice.part.keys()].filter(
    (i) => !isRefusal(slice.part[i]) && (slice.from[i] as number) <= to && (slice.to[i] as number) >= from,
  );
}
