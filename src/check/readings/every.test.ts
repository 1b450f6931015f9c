import { describe, expect, it } from 'vitest';
import { DAY_US, HOUR_US } from '../days/calendar.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { unflushed } from '../evidence/bounds.ts';
import { everyDaily, everyRate } from './every.ts';
import { type Attempt, admitted, boundsFor, daySliceOf, maybe, refused, sliceOf } from './sample-attempts.exam.ts';

const hours = (attempts: readonly Attempt[], zones: DaySlice['zones'] = 'one'): DaySlice =>
  daySliceOf(
    attempts.map(({ from, to, part }) => ({ from: from * HOUR_US, to: to * HOUR_US, part })),
    zones,
  );
const quota = (members: object = {}) => boundsFor(2, DAY_US, members);
const fromOutside = { refusals: unflushed(0, DAY_US) };

describe('no day, wherever it begins,', () => {
  it('holds more than its messages within less than 22 hours and all that it had before', () => {
    const over = (last: number, zones: DaySlice['zones'] = 'one') =>
      everyDaily.overAdmission(
        hours(
          [0, 1, 2, 3, last].map((at) => admitted(at)),
          zones,
        ),
        quota(),
      );
    expect(over(21)).toMatchObject({ rule: 'daily-distinct-messages', observed: 5, possible: 4 });
    expect(over(22)).toBeUndefined();
    // Of two zones each has days of its own.
    expect(over(21, 'any')).toBeUndefined();
    expect(over(21, ['UTC', 'Asia/Tokyo'])).toBeUndefined();
  });

  it('explains a refusal by what lies further back than the longest, and what clocks may be off', () => {
    const refusedAt = (at: number, members: object = {}, zones: DaySlice['zones'] = 'one') => [
      ...everyDaily.unexplained(hours([admitted(0), admitted(1), refused(at)], zones), quota(members)),
    ];
    // 26 hours, and four times the hour by which zones may be set.
    expect(refusedAt(30)).toEqual([]);
    expect(refusedAt(30.1)).toEqual([2]);
    expect(refusedAt(30.1, { slackUs: HOUR_US })).toEqual([]);
    expect(refusedAt(34.1, { slackUs: HOUR_US })).toEqual([2]);
    expect(refusedAt(38, { slackUs: HOUR_US, phaseUncertaintyUs: HOUR_US })).toEqual([]);
    expect(refusedAt(38.1, { slackUs: HOUR_US, phaseUncertaintyUs: HOUR_US })).toEqual([2]);
    expect(refusedAt(30.1, { phaseUncertaintyUs: Number.POSITIVE_INFINITY })).toEqual([2]);
    // Four times a tenth of forty hours.
    expect(refusedAt(45, { drift: 0.1 })).toEqual([]);
    expect(refusedAt(51, { drift: 0.1 })).toEqual([2]);
    // The date of several zones lasts for as long as it is one anywhere.
    expect(refusedAt(54, {}, 'any')).toEqual([]);
    expect(refusedAt(54.1, {}, ['UTC', 'Asia/Tokyo'])).toEqual([2]);
    expect(refusedAt(31, { refusals: { provable: false, missing: [] } })).toEqual([]);
  });

  it('is known where the service may have counted before, until a day more has passed', () => {
    const refusedAt = (at: number) => [...everyDaily.unexplained(hours([refused(at)]), quota(fromOutside))];
    expect(refusedAt(53.9)).toEqual([]);
    expect(refusedAt(54)).toEqual([0]);
  });

  it('is proven with all that lies within it', () => {
    const slice = hours([admitted(0), maybe(2), refused(31), admitted(40)]);
    expect(everyDaily.wrongfulRefusal(slice, quota(), 2)).toMatchObject({
      rule: 'wrongful-refusal-daily',
      refusal: 2,
      observed: 1,
      needed: 2,
    });
  });
});

describe('no reading of N per window', () => {
  const bounds = boundsFor(4, 60);
  const burst = (at: number, count: number) => Array.from({ length: count }, () => admitted(at));

  it('admits 2N + 1 within less than one', () => {
    expect(everyRate.overAdmission(sliceOf([...burst(0, 8), admitted(59)]), bounds)).toMatchObject({
      ...{ rule: 'universal-2N', observed: 9, possible: 8 },
    });
    expect(everyRate.overAdmission(sliceOf([...burst(0, 8), admitted(60)]), bounds)).toBeUndefined();
    expect(everyRate.overAdmission(sliceOf(burst(0, 9)), boundsFor(4, 60, { shortUs: 0 }))).toBeUndefined();
  });

  it('admits more than N per window in the long run, wherever windows begin', () => {
    // 5 a window are 37 within less than eight windows: 4 in each of nine are 36.
    const steady = (count: number, every: number) => Array.from({ length: count }, (_, i) => admitted(i * every));
    expect(everyRate.overAdmission(sliceOf(steady(36, 12)), bounds)).toBeUndefined();
    expect(everyRate.overAdmission(sliceOf(steady(60, 12)), bounds)).toMatchObject({
      rule: 'universal-density',
      observed: 37,
      possible: 36,
    });
    expect(everyRate.overAdmission(sliceOf(steady(600, 15)), bounds)).toBeUndefined();
    // Windows that may be as short as 48 hold 5 in 60.
    expect(everyRate.overAdmission(sliceOf(steady(600, 12)), { ...bounds, shortUs: 48 })).toBeUndefined();
    // 4 each in a window that ends at 58, in nine whole ones, and in one that begins at 598.
    const filled = [...burst(57, 4), ...[...Array(9).keys()].flatMap((k) => burst(58 + 60 * k, 4)), ...burst(598, 4)];
    expect(everyRate.overAdmission(sliceOf(filled), bounds)).toBeUndefined();
  });

  it('refuses before N, refused ones among them, lie within two windows, nor after a refusal that nothing explains', () => {
    const unexplained = (...attempts: Attempt[]) => [...everyRate.unexplained(sliceOf(attempts), bounds)];
    expect(unexplained(...burst(0, 3), refused(100))).toEqual([3]);
    expect(unexplained(...burst(0, 4), refused(100))).toEqual([]);
    expect(unexplained(...burst(0, 2), refused(1), refused(100))).toEqual([2, 3]);
    expect(unexplained(...burst(0, 2), refused(1), refused(2), refused(121))).toEqual([2, 3, 4]);
    expect(unexplained(refused(40), refused(100))).toEqual([0, 1]);
    expect(unexplained(maybe(99), refused(100))).toEqual([1]);
    // Four lie within two windows before the first, which may block for one.
    expect(unexplained(...burst(0, 4), refused(119), refused(179))).toEqual([]);
    expect(unexplained(...burst(0, 4), refused(119), refused(180))).toEqual([5]);
    expect(unexplained(...burst(0, 4), maybe(119), refused(179))).toEqual([]);
    expect(unexplained(refused(100), maybe(101))).toEqual([0]);
    expect(everyRate.wrongfulRefusal(sliceOf([admitted(0), refused(100)]), bounds, 1)).toEqual({
      rule: 'universal-refusal',
      because: 'wrongful-refusal',
      refusal: 1,
      lookBackUs: 120,
      observed: 1,
      needed: 4,
      positions: [0],
    });
    // Of a burst one was refused first, and the others count nothing before it.
    const crowd = [...burst(0, 3), refused(0, 1), refused(0, 1), refused(0, 1)];
    expect(unexplained(...crowd)).toEqual([3, 4, 5]);
    expect(unexplained(...crowd, admitted(1))).toEqual([]);
    expect(everyRate.wrongfulRefusal(sliceOf(crowd), bounds, 3)).toEqual({
      rule: 'wrongful-first-refusal-of-two-windows',
      because: 'wrongful-refusal',
      refusal: 3,
      lookBackUs: 120,
      observed: 3,
      needed: 4,
      positions: [0, 1, 2, 4, 5],
    });
    // What counts in two windows is one less than the limit, or as much.
    expect([...everyRate.unexplained(sliceOf([refused(0)]), boundsFor(1, 60))]).toEqual([0]);
    expect([...everyRate.unexplained(sliceOf([admitted(0), refused(9)]), boundsFor(2, 60))]).toEqual([1]);
    expect([...everyRate.unexplained(sliceOf([admitted(0), refused(9)]), boundsFor(1, 60))]).toEqual([]);
  });
});
