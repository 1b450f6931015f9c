import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admittedOf } from '../engines/admitted.ts';
import {
  type Attempt,
  admitted,
  boundsFor,
  daySliceOf as daySlice,
  maybe,
  refused,
} from '../readings/sample-attempts.exam.ts';
import { type Calendar, calendarOf, DAY_US, HOUR_US, midnights } from './calendar.ts';
import { beginOfItsDay, chargedOf, chargedWithin, mostOnItsDay, overfullDays } from './fullest.ts';
import { neededFor } from './needed.ts';
import { overfullSpan, unexplainedByLast } from './spans.ts';
import { EARLIEST_OFFSET_US, LATEST_OFFSET_US, OFFSETS_US, zoneCalendars } from './zones.ts';

/** Days of ten, each of whose ends lies within two units around it. */
const unsure: Calendar = {
  earliest: Float64Array.of(9.5, 19.5, 29.5, 39.5),
  latest: Float64Array.of(11.5, 21.5, 31.5, 41.5),
};
const message = fc
  .tuple(fc.nat({ max: 44 }), fc.nat({ max: 4 }))
  .map(([from, length]) => admitted(from, from + length));
const messages = fc.array(message, { maxLength: 10 });
/** In which days something within an interval may lie. */
const daysOf = ({ from, to }: { readonly from: number; readonly to: number }) => ({
  first: [...unsure.latest].filter((end) => end <= from).length,
  last: [...unsure.earliest].filter((end) => end <= to).length,
});
const RUNS = { numRuns: 200 };

/** What is left if each message in turn is left out, provided that every calendar still cannot hold the rest. */
function sparingly(all: ReturnType<typeof daySlice>, calendars: readonly Calendar[], max: number): readonly number[] {
  const admitted = admittedOf(all);
  const areTooMany = (some: readonly number[]) =>
    calendars.every((calendar) => overfullDays(admitted, calendar, max, some) !== undefined);
  return [...all.from.keys()].reduce<readonly number[]>(
    (left, one) => {
      const less = left.filter((other) => other !== one);
      return areTooMany(less) ? less : left;
    },
    [...all.from.keys()],
  );
}

/** The same days, beginning so much later. */
const shifted = (by: number): Calendar => ({
  earliest: unsure.earliest.map((end) => end + by),
  latest: unsure.latest.map((end) => end + by),
});

describe('messages of which every calendar has too many', () => {
  it('are reduced to those of which none can be spared', () => {
    let reduced = 0;
    const several = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 24 }), several, fc.integer({ min: 1, max: 2 }), (all, by, max) => {
        const slice = daySlice(all);
        const calendars = by.map(shifted);
        const every = [...slice.from.keys()];
        if (calendars.some((calendar) => !overfullDays(admittedOf(slice), calendar, max))) return;
        const needed = neededFor(admittedOf(slice), calendars, max, every);
        expect(needed).toEqual(sparingly(slice, calendars, max));
        if (needed.length > max + 1) reduced += 1;
      }),
      RUNS,
    );
    expect(reduced).toBeGreaterThan(20);
  });

  it('are so soon, however many there are', () => {
    const slice = daySlice(Array.from({ length: 40_000 }, (_, i) => admitted(i / 1_000)));
    const needed = neededFor(admittedOf(slice), [unsure, shifted(3)], 6_000, [...slice.from.keys()]);
    // The last 12,001: under the later calendar they lie on two days, and under the other one more than 6,000 of them on one.
    expect([needed.length, needed[0], needed.at(-1)]).toEqual([12_001, 27_999, 39_999]);
  });
});

describe('messages on days whose ends are not known exactly', () => {
  it('are too many where some days in a row cannot hold theirs; and just so many are named', () => {
    fc.assert(
      fc.property(messages, fc.integer({ min: 1, max: 2 }), (all, max) => {
        const slice = daySlice(all);
        const ranges = [...slice.from.keys()].map((i) =>
          daysOf({ from: slice.from[i] as number, to: slice.to[i] as number }),
        );
        const inside = (first: number, last: number) =>
          [...ranges.keys()].filter((i) => (ranges[i]?.first ?? 0) >= first && (ranges[i]?.last ?? 9) <= last);
        const isOver = [0, 1, 2, 3, 4].some((first) =>
          [0, 1, 2, 3, 4].some((last) => last >= first && inside(first, last).length > max * (last - first + 1)),
        );
        const named = overfullDays(admittedOf(slice), unsure, max);
        expect(named !== undefined).toBe(isOver);
        if (!named) return;
        const [first, last] = [
          Math.min(...named.map((i) => ranges[i]?.first ?? 9)),
          Math.max(...named.map((i) => ranges[i]?.last ?? 0)),
        ];
        expect(named.length).toBeGreaterThan(max * (last - first + 1));
        expect((named.length - 1) % max).toBe(0);
        // Of some of them alone it is so only if it is of these.
        const less = overfullDays(admittedOf(slice), unsure, max, named.slice(1));
        expect(less === undefined || less.length < named.length).toBe(true);
      }),
      RUNS,
    );
  });

  it('are counted on the day of a refusal, up to it', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 44 }), fc.nat({ max: 3 }), (all, at, length) => {
        const slice = daySlice([...all, refused(at, at + length)]);
        const { first, last } = daysOf({ from: at, to: at + length });
        const days = Array.from({ length: last - first + 1 }, (_, i) => first + i);
        const most = Math.max(
          ...days.map(
            (day) =>
              all.filter((one) => {
                const range = daysOf(one);
                return one.from <= at + length && range.first <= day && day <= range.last;
              }).length,
          ),
        );
        expect(mostOnItsDay(chargedOf(slice), unsure, at, at + length)).toBe(most);
        expect(beginOfItsDay(unsure, at)).toBe(unsure.earliest[first - 1] ?? Number.NEGATIVE_INFINITY);
      }),
      RUNS,
    );
  });

  it('may have been charged unless they were refused', () => {
    const slice = daySlice([admitted(1, 5), maybe(2, 9), refused(3, 4), admitted(6, 7)]);
    expect([...chargedOf(slice).starts]).toEqual([1, 2, 6]);
    expect([...chargedOf(slice).ends]).toEqual([5, 7, 9]);
    expect(chargedWithin(slice, 5, 6)).toEqual([0, 1, 3]);
    expect(chargedWithin(slice, 5.5, 5.9)).toEqual([1]);
    expect(chargedWithin(slice, 8, 9)).toEqual([1]);
  });
});

describe('messages in days wherever these begin', () => {
  const burst = (at: number, count: number) => Array.from({ length: count }, () => admitted(at));

  it('are too many for each day that may begin in their span, and what was there before', () => {
    const over = (attempts: Attempt[], before = 0) => overfullSpan(daySlice(attempts), 3, 10, before);
    expect(over([...burst(0, 3), admitted(9)])).toMatchObject({ observed: 4, possible: 3, positions: [0, 1, 2, 3] });
    expect(over([...burst(0, 3), admitted(10)])).toBeUndefined();
    // No day holds six of these nine, and no two days hold nine.
    const nine = (last: number) => over([...burst(0, 4), ...burst(10, 4), admitted(last)], 2);
    expect(nine(19)).toMatchObject({ observed: 9, possible: 8 });
    expect(nine(20)).toBeUndefined();
    expect(over(burst(0, 5), 2)).toBeUndefined();
    expect(over(burst(0, 6), 2)).toMatchObject({ rule: 'daily-distinct-messages', observed: 6, possible: 5 });
    expect(overfullSpan(daySlice(burst(0, 9)), 3, 0, 0)).toBeUndefined();
    expect(over([])).toBeUndefined();
  });

  it('explain a refusal within a day after', () => {
    const unexplained = (attempts: Attempt[]) => unexplainedByLast(daySlice(attempts), boundsFor(3, 10), 10);
    expect(unexplained([...burst(0, 3), refused(10)])).toEqual([]);
    expect(unexplained([...burst(0, 3), refused(11)])).toEqual([3]);
    expect(unexplained([...burst(0, 2), refused(5)])).toEqual([2]);
    expect(unexplained([...burst(0, 2), maybe(1), refused(5)])).toEqual([]);
  });
});

describe('calendars', () => {
  const origin = Date.UTC(2026, 2, 28, 12) * 1_000;
  const bounds = (members: object = {}) => boundsFor(3, DAY_US, { originUs: origin, ...members });

  it('have a midnight of every day that may concern a run, two days more on either side', () => {
    const at = midnights(bounds(), 0, 0);
    expect(at.map((midnight) => (midnight - origin) / HOUR_US)).toEqual([-60, -36, -12, 12, 36, 60]);
    expect(midnights(bounds(), 24 * HOUR_US, 0)).toHaveLength(7);
    expect(midnights(bounds(), 0, 3 * HOUR_US).map((midnight) => (midnight - origin) / HOUR_US)).toEqual([
      -63, -39, -15, 9, 33, 57,
    ]);
    expect(midnights(bounds({ phaseUncertaintyUs: 24 * HOUR_US }), 0, 0)).toHaveLength(8);
    expect(midnights(bounds({ drift: 0.5 }), 48 * HOUR_US, 0)).toHaveLength(9);
  });

  it('are as unsure as the clock is, and as its drift makes it by then', () => {
    const at = [origin + 10 * HOUR_US, origin - 10 * HOUR_US];
    const hours = ({ earliest, latest }: Calendar) => [
      [...earliest].map((us) => Math.round(us / HOUR_US / 0.001) * 0.001),
      [...latest].map((us) => Math.round(us / HOUR_US / 0.001) * 0.001),
    ];
    expect(hours(calendarOf(at, bounds()))).toEqual([
      [10, -10],
      [10, -10],
    ]);
    const { earliest, latest } = calendarOf(at, bounds());
    expect([earliest[0], latest[0]]).toEqual([10 * HOUR_US - 2, 10 * HOUR_US + 2]);
    expect(hours(calendarOf(at, bounds({ phaseUncertaintyUs: HOUR_US, slackUs: HOUR_US })))).toEqual([
      [8, -12],
      [12, -8],
    ]);
    expect(hours(calendarOf(at, bounds({ drift: 0.25 })))).toEqual([
      [8, -8],
      [13.333, -13.333],
    ]);
    expect(hours(calendarOf(at, bounds(), { beforeUs: HOUR_US, afterUs: 2 * HOUR_US }))).toEqual([
      [9, -11],
      [12, -8],
    ]);
  });

  it('of time zones are every quarter of an hour, and those that change meanwhile', () => {
    expect(OFFSETS_US).toHaveLength(105);
    expect([OFFSETS_US[0], OFFSETS_US[48], OFFSETS_US[104]]).toEqual([EARLIEST_OFFSET_US, 0, LATEST_OFFSET_US]);
    const calendars = [...zoneCalendars(bounds(), 0, [])];
    const begins = calendars.map(({ earliest }) => [...earliest].map((us) => (us + 2) / HOUR_US));
    expect(begins.slice(0, 105).every((one) => one.length === 6 || one.length === 7)).toBe(true);
    // Europe/Paris: one hour ahead of UTC, two from 29 March, 01:00 UTC, which is 13 hours on.
    expect(begins.slice(105)).toContainEqual([-61, -37, -13, 11, 34, 58]);
    // With several zones at once a date begins where it begins first, and is over where it is over last.
    const [together, ...others] = [...zoneCalendars(bounds(), 0, ['Europe/Paris', 'UTC', 'Asia/Tokyo'])];
    expect([...(together?.earliest ?? [])].map((us) => (us + 2) / HOUR_US)).toEqual([-69, -45, -21, 3, 27, 51]);
    expect([...(together?.latest ?? [])].map((us) => (us - 2) / HOUR_US)).toEqual([-60, -36, -12, 12, 36, 60]);
    expect(others).toEqual(calendars);
    // In June few change.
    const june = Date.UTC(2026, 5, 15, 12) * 1_000;
    expect([...zoneCalendars(boundsFor(3, DAY_US, { originUs: june }), 0, [])]).toHaveLength(105);
  });
});
