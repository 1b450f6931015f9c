import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Millis, PerSecond } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { loadModelOf } from './index.ts';
import { loadModelExam } from './load-model.exam.ts';

const ms = (value: number) => value as Millis;
const start = ms(0);
const whole = (min: number, max: number) => fc.integer({ min, max });

const constantRate = (perSecond: number, durationMs: number): LoadModel => ({
  model: 'constant-rate',
  rate: perSecond as PerSecond,
  duration: ms(durationMs),
  start,
});
const burst = (count: number, gapMs: number): LoadModel => ({ model: 'burst', count, gap: ms(gapMs), start });
const offsets = (model: LoadModel) => [...loadModelOf(model).arrivals(model, 1)];

describe('constant-rate', () => {
  loadModelExam(
    fc.tuple(whole(1, 3_000), whole(1, 60_000)).map(([perMinute, duration]) => constantRate(perMinute / 60, duration)),
  );

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

  it('is lazy: the first of a hundred million arrivals comes at once', () => {
    const model = constantRate(100_000, 1_000_000);
    const iterator = loadModelOf(model).arrivals(model, 1)[Symbol.iterator]();
    expect(iterator.next().value).toBe(0);
    expect(loadModelOf(model).count(model)).toBe(100_000_000);
  });

  it.each([
    [20 / 60, '20 per minute for 30.0 s'],
    [5, '5 per second for 30.0 s'],
    [50 / 86_400, '2.083 per hour for 30.0 s'],
  ])('describes %d per second in the unit that people use', (rate, words) => {
    const model = constantRate(rate, 30_000);
    expect(loadModelOf(model).describe(model)).toBe(words);
  });
});

describe('burst', () => {
  loadModelExam(fc.tuple(whole(1, 500), whole(0, 5_000)).map(([count, gap]) => burst(count, gap)));

  it('comes at once, or a gap apart', () => {
    expect(offsets(burst(3, 0))).toEqual([0, 0, 0]);
    expect(offsets(burst(3, 250))).toEqual([0, 250_000, 500_000]);
  });
});

describe('closed-users', () => {
  loadModelExam(
    whole(1, 200).map(
      (users): LoadModel => ({ model: 'closed-users', users, duration: ms(1_000), think: ms(0), start }),
    ),
  );

  it('gives each user its bounds', () => {
    const model: LoadModel = {
      model: 'closed-users',
      users: 2,
      duration: ms(10_000),
      iterations: 3,
      think: ms(0),
      start,
    };
    expect(loadModelOf(model).users(model)).toEqual([
      { startUs: 0, untilUs: 10_000_000, iterations: 3 },
      { startUs: 0, untilUs: 10_000_000, iterations: 3 },
    ]);
  });
});
