import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { constantRate, counted, described, offsets, rampingRate, spike, steps } from './models.exam.ts';

describe('constant-rate', () => {
  it.each([
    {
      case: '20 a minute for a minute: every 3 s, the last at 57 s',
      model: constantRate(20 / 60, 60_000),
      count: 20,
      first: [0, 3_000_000, 6_000_000],
      last: 57_000_000,
    },
    { case: '20 a minute for 3 s: one', model: constantRate(20 / 60, 3_000), count: 1, first: [0], last: 0 },
    {
      case: '31 a minute for a minute, which is a little more in floating point',
      model: constantRate(31 / 60, 60_000),
      count: 31,
      first: [0, 1_935_484, 3_870_968],
      last: 58_064_516,
    },
    {
      case: '20 a minute for 3.001 s: two',
      model: constantRate(20 / 60, 3_001),
      count: 2,
      first: [0, 3_000_000],
      last: 3_000_000,
    },
    {
      case: '3 a second: thirds of a second, rounded each by itself',
      model: constantRate(3, 1_000),
      count: 3,
      first: [0, 333_333, 666_667],
      last: 666_667,
    },
    {
      case: '10,000 a second for 10 s: no error adds up',
      model: constantRate(10_000, 10_000),
      count: 100_000,
      first: [0, 100, 200],
      last: 9_999_900,
    },
  ])('$case', ({ model, count, first, last }) => {
    const times = offsets(model);
    expect(times).toHaveLength(count);
    expect(times.slice(0, 3)).toEqual(first);
    expect(times.at(-1)).toBe(last);
  });

  it('has as many a minute as it says, of up to a hundred million', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 100 }), (perMinute, minutes) => {
        expect(counted(constantRate(perMinute / 60, minutes * 60_000))).toBe(perMinute * minutes);
      }),
    );
  });

  it.each([
    [20 / 60, '20 per minute for 30.0 s'],
    [5, '5 per second for 30.0 s'],
    [0.5, '30 per minute for 30.0 s'],
    [7.5 / 60, '7.5 per minute for 30.0 s'],
    [50 / 86_400, '50 per day for 30.0 s'],
    [12_345, '12,345 per second for 30.0 s'],
    [1 / 7, '8.571 per minute for 30.0 s'],
    [0.1 / 86_400, '0.1 per day for 30.0 s'],
  ])('describes %d per second in a readable unit', (rate, words) => {
    expect(described(constantRate(rate, 30_000))).toBe(words);
  });
});

describe('ramping-rate', () => {
  it('has an arrival whenever the integral of the rate reaches the next whole number', () => {
    // From 0 to 2 a second in 4 s: t² / 4 = k.
    expect(offsets(rampingRate(0, [2, 4_000]))).toEqual([0, 2_000_000, 2_828_427, 3_464_102]);
    // From 2 a second to none: 2t − t²/4 = k.
    expect(offsets(rampingRate(2, [0, 4_000]))).toEqual([0, 535_898, 1_171_573, 2_000_000]);
  });

  it('has no arrivals while the rate is 0, and jumps at a stage of zero length', () => {
    expect(offsets(rampingRate(0, [0, 5_000], [1, 0], [1, 3_000]))).toEqual([5_000_000, 6_000_000, 7_000_000]);
    expect(offsets(rampingRate(1, [1, 2_000], [0, 0], [0, 5_000], [1, 0], [1, 1_000]))).toEqual([
      0, 1_000_000, 7_000_000,
    ]);
  });

  it('describes each stage', () => {
    expect(described(rampingRate(1, [10, 30_000], [10, 60_000], [0, 0]))).toBe(
      'from 1 per second to 10 per second within 30.0 s, 10 per second for 60.0 s, at once to none',
    );
  });
});

describe('steps', () => {
  it('holds each rate for its time', () => {
    expect(offsets(steps(1, 1, 3, 1_000))).toEqual([0, 1_000_000, 1_500_000, 2_000_000, 2_333_333, 2_666_667]);
    expect(described(steps(10, 5, 4, 30_000))).toBe('4 steps of 30.0 s from 10 per second to 25 per second');
  });
});

describe('spike', () => {
  it('goes from the base to the peak and back', () => {
    expect(offsets(spike({ base: 1, peak: 4, before: 2_000, hold: 1_000, after: 1_500 }))).toEqual([
      0, 1_000_000, 2_000_000, 2_250_000, 2_500_000, 2_750_000, 3_000_000, 4_000_000,
    ]);
    expect(described(spike({ base: 1, peak: 50, before: 30_000, ramp: 2_000, hold: 10_000, after: 30_000 }))).toBe(
      '1 per second for 30.0 s, 50 per second for 10.0 s, reached and left within 2.00 s, 1 per second for 30.0 s',
    );
    expect(described(spike({ base: 1, peak: 50, before: 0, hold: 10_000, after: 30_000 }))).toBe(
      '1 per second for 0 ms, 50 per second for 10.0 s, 1 per second for 30.0 s',
    );
  });
});
