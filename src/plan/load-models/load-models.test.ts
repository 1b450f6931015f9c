import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros, Millis, PerSecond } from '../../base/index.ts';
import { seededRandom } from '../../base/index.ts';
import type { Allowance, LoadModel } from '../../scenario/index.ts';
import { gammaVariate } from './gamma.ts';
import { loadModelNames, loadModelOf } from './index.ts';
import { examined, loadModelExam } from './load-model.exam.ts';

type Of<Name extends LoadModel['model']> = Extract<LoadModel, { model: Name }>;

const ms = (value: number) => value as Millis;
const perSecond = (value: number) => value as PerSecond;
const start = ms(0);
const whole = (min: number, max: number) => fc.integer({ min, max });
/** From 1 a minute to 50 a second; most are not whole numbers per second. */
const rates = whole(1, 3_000).map((perMinute) => perSecond(perMinute / 60));
const ratesOrNone = fc.oneof({ weight: 4, arbitrary: rates }, { weight: 1, arbitrary: fc.constant(perSecond(0)) });
const durations = whole(1, 20_000).map(ms);
const offsets = (model: LoadModel, seed = 1) => [...loadModelOf(model).arrivals(model, seed)];
const counted = (model: LoadModel, seed = 1) => loadModelOf(model).count(model, seed);
const described = (model: LoadModel) => loadModelOf(model).describe(model);

describe('constant-rate', () => {
  const constantRate = (rate: number, duration: number): Of<'constant-rate'> => ({
    model: 'constant-rate',
    rate: perSecond(rate),
    duration: ms(duration),
    start,
  });
  loadModelExam({
    models: fc.tuple(rates, durations).map(([rate, duration]) => constantRate(rate, duration)),
    integral: (model) => ((model as Of<'constant-rate'>).rate * (model as Of<'constant-rate'>).duration) / 1_000,
    huge: constantRate(10_000, 1_000_000),
  });

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
  const rampingRate = (from: number, ...stages: (readonly [number, number])[]): Of<'ramping-rate'> => ({
    model: 'ramping-rate',
    from: perSecond(from),
    stages: stages.map(([to, duration]) => ({ to: perSecond(to), duration: ms(duration) })),
    start,
  });
  const integral = (model: LoadModel) => {
    const { from, stages } = model as Of<'ramping-rate'>;
    return stages.reduce(
      (sum, { to, duration }, s) => sum + (((stages[s - 1]?.to ?? from) + to) / 2 / 1_000) * duration,
      0,
    );
  };
  loadModelExam({
    models: fc
      .tuple(ratesOrNone, fc.array(fc.tuple(ratesOrNone, whole(0, 8_000)), { minLength: 1, maxLength: 4 }))
      .map(([from, stages]) => rampingRate(from, ...stages))
      .filter((model) => integral(model) > 0.001),
    integral,
    huge: rampingRate(0, [20_000, 1_000_000]),
  });

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
  const steps = (from: number, by: number, count: number, each: number): Of<'steps'> => ({
    model: 'steps',
    from: perSecond(from),
    by: perSecond(by),
    steps: count,
    each: ms(each),
    start,
  });
  loadModelExam({
    models: fc.tuple(rates, rates, whole(1, 6), whole(1, 3_000)).map((parts) => steps(...parts)),
    integral(model) {
      const { from, by, steps: count, each } = model as Of<'steps'>;
      return Array.from({ length: count }, (_, s) => ((from + by * s) * each) / 1_000).reduce((a, b) => a + b, 0);
    },
    huge: steps(1_000, 1_000, 10, 200_000),
  });

  it('holds each rate for its time', () => {
    expect(offsets(steps(1, 1, 3, 1_000))).toEqual([0, 1_000_000, 1_500_000, 2_000_000, 2_333_333, 2_666_667]);
    expect(described(steps(10, 5, 4, 30_000))).toBe('4 steps of 30.0 s from 10 per second to 25 per second');
  });
});

describe('spike', () => {
  const spike = (parts: Partial<Record<'base' | 'peak' | 'before' | 'ramp' | 'hold' | 'after', number>>): Of<'spike'> =>
    ({ model: 'spike', base: 0, peak: 1, before: 0, ramp: 0, hold: 1_000, after: 0, start, ...parts }) as Of<'spike'>;
  loadModelExam({
    models: fc
      .record({
        base: ratesOrNone,
        peak: rates,
        before: whole(0, 5_000),
        ramp: whole(0, 2_000),
        hold: whole(1, 3_000),
        after: whole(0, 5_000),
      })
      .map(spike),
    integral(model) {
      const { base, peak, before, ramp, hold, after } = model as Of<'spike'>;
      return (base * (before + after) + (base + peak) * ramp + peak * hold) / 1_000;
    },
    huge: spike({ base: 1_000, peak: 100_000, before: 10_000, hold: 200_000 }),
  });

  it('goes from the base to the peak and back', () => {
    expect(offsets(spike({ base: 1, peak: 4, before: 2_000, hold: 1_000, after: 1_500 }))).toEqual([
      0, 1_000_000, 2_000_000, 2_250_000, 2_500_000, 2_750_000, 3_000_000, 4_000_000,
    ]);
    expect(described(spike({ base: 1, peak: 50, before: 30_000, ramp: 2_000, hold: 10_000, after: 30_000 }))).toBe(
      '1 per second for 30.0 s, 50 per second for 10.0 s, reached and left within 2.00 s, 1 per second for 30.0 s',
    );
  });
});

describe('poisson', () => {
  const poisson = (rate: number, duration: number): Of<'poisson'> => ({
    model: 'poisson',
    rate: perSecond(rate),
    duration: ms(duration),
    start,
  });
  const expected = (model: LoadModel) => ((model as Of<'poisson'>).rate * (model as Of<'poisson'>).duration) / 1_000;
  loadModelExam({
    models: fc.tuple(rates, durations).map(([rate, duration]) => poisson(rate, duration)),
    integral: expected,
    deviation: (model) => Math.sqrt(expected(model)),
    huge: poisson(10_000, 1_000_000),
  });

  it('has exponential gaps: their mean and their deviation are 1 / rate', () => {
    const { mean, deviation, count } = gapsIn(offsets(poisson(100, 200_000)));
    expect(Math.abs(mean * 100 - 1)).toBeLessThan(5 / Math.sqrt(count));
    // The standard error of an exponential's coefficient of variation is 1 / √n.
    expect(Math.abs(deviation / mean - 1)).toBeLessThan(5 / Math.sqrt(count));
  });

  it('differs for another seed', () => {
    expect(offsets(poisson(10, 5_000), 1)).not.toEqual(offsets(poisson(10, 5_000), 2));
  });
});

/** Mean and standard deviation of the gaps between times, in seconds. */
function gapsIn(times: readonly number[]) {
  const gaps = times.slice(1).map((time, k) => (time - (times[k] ?? 0)) / 1_000_000);
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (gaps.length - 1);
  return { mean, deviation: Math.sqrt(variance), count: gaps.length };
}

describe('gamma', () => {
  const gamma = (rate: number, duration: number, burstiness: number): Of<'gamma'> => ({
    model: 'gamma',
    rate: perSecond(rate),
    duration: ms(duration),
    burstiness,
    start,
  });
  const expected = (model: LoadModel) => ((model as Of<'gamma'>).rate * (model as Of<'gamma'>).duration) / 1_000;
  loadModelExam({
    models: fc
      .tuple(rates, durations, fc.constantFrom(0.25, 0.5, 1, 2, 10))
      .map(([rate, duration, burstiness]) => gamma(rate, duration, burstiness)),
    integral: expected,
    // A stationary renewal process: the variance of the count tends to mean ÷ shape, with a constant below 1 for few arrivals.
    deviation: (model) => Math.sqrt(expected(model) / (model as Of<'gamma'>).burstiness + 1),
    huge: gamma(10_000, 1_000_000, 0.5),
  });

  it.each([0.2, 0.5, 1, 4, 50])(
    'of burstiness %d has gaps with standard deviation mean ÷ √burstiness',
    (burstiness) => {
      const { mean, deviation, count } = gapsIn(offsets(gamma(100, 400_000, burstiness)));
      const variation = 1 / Math.sqrt(burstiness);
      expect(Math.abs(mean * 100 - 1)).toBeLessThan((5 * variation) / Math.sqrt(count));
      expect(Math.abs(deviation / mean / variation - 1)).toBeLessThan(
        (5 * Math.sqrt(1 + 3 * variation ** 2)) / Math.sqrt(count),
      );
    },
  );

  it('has as many arrivals on average as its rate says, from its first instant on', () => {
    const model = gamma(1, 1_000, 0.25);
    const counts = Array.from({ length: 2_000 }, (_, seed) => loadModelOf(model).count(model, seed));
    const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
    expect(Math.abs(mean - 1)).toBeLessThan(5 * Math.sqrt(variance / counts.length));
  });

  it('draws as many small gamma variates as there are', () => {
    const random = seededRandom(1, 'test');
    const small = Array.from({ length: 20_000 }, () => gammaVariate(1, random)).filter((draw) => draw < 0.01).length;
    // Of shape 1 it is exponential: 199 of 20,000; 5 standard deviations.
    expect(Math.abs(small - 20_000 * (1 - Math.exp(-0.01)))).toBeLessThan(5 * Math.sqrt(199));
  });

  it('draws gamma variates whose first three moments are those of the shape', () => {
    const random = seededRandom(1, 'test');
    for (const shape of [0.1, 0.9, 1, 2.5, 40]) {
      const draws = Array.from({ length: 40_000 }, () => gammaVariate(shape, random));
      const moment = (power: number) => draws.reduce((sum, draw) => sum + draw ** power, 0) / draws.length;
      // E X = k, E X² = k (k + 1), E X³ = k (k + 1) (k + 2); 5 standard errors of each are below these shares.
      expect(Math.abs(moment(1) / shape - 1)).toBeLessThan(0.1);
      expect(Math.abs(moment(2) / (shape * (shape + 1)) - 1)).toBeLessThan(0.2);
      expect(Math.abs(moment(3) / (shape * (shape + 1) * (shape + 2)) - 1)).toBeLessThan(0.4);
    }
  });
});

describe('burst', () => {
  const burst = (count: number, gapMs: number): LoadModel => ({ model: 'burst', count, gap: ms(gapMs), start });
  loadModelExam({
    models: fc.tuple(whole(1, 500), whole(0, 5_000)).map(([count, gap]) => burst(count, gap)),
    integral: (model) => (model as Of<'burst'>).count,
  });

  it('has all arrivals at once, or one gap apart', () => {
    expect(offsets(burst(3, 0))).toEqual([0, 0, 0]);
    expect(offsets(burst(3, 250))).toEqual([0, 250_000, 500_000]);
    expect([described(burst(3, 0)), described(burst(3, 250))]).toEqual(['3 at once', '3, 250 ms apart']);
  });
});

describe('replay', () => {
  const replay = (offsetsUs: readonly number[], speed = 1): Of<'replay'> => ({
    model: 'replay',
    file: 'recorded/times.csv',
    column: 'at',
    unit: 's',
    speed,
    recording: { offsetsUs: Float64Array.from(offsetsUs) },
    start,
  });
  loadModelExam({
    models: fc
      .tuple(fc.array(whole(0, 5_000_000), { minLength: 1, maxLength: 200 }), fc.constantFrom(0.5, 1, 3))
      .map(([times, speed]) =>
        replay(
          [...times].sort((a, b) => a - b),
          speed,
        ),
      ),
    integral: (model) => (model as Of<'replay'>).recording?.offsetsUs.length ?? 0,
  });

  it('keeps the recorded gaps, or scales all of them', () => {
    expect(offsets(replay([0, 10, 25]))).toEqual([0, 10, 25]);
    expect(offsets(replay([0, 10, 25], 2))).toEqual([0, 5, 13]);
    expect(described(replay([0, 10, 25_000_000], 2))).toBe(
      '3 as recorded in times.csv at 2 times its speed, within 12.5 s',
    );
  });

  it('cannot be planned before its file is read', () => {
    const { recording: _, ...unread } = replay([0]);
    expect(() => offsets(unread)).toThrow('the times of recorded/times.csv are not loaded');
  });
});

describe('paced-to-limits', () => {
  const MINUTE = 60_000_000 as Micros;
  const DAY = 86_400_000_000 as Micros;
  const limits = { rate: { max: 20, windowUs: MINUTE }, concurrency: { max: 2 }, daily: { max: 50, dayUs: DAY } };
  const none = { requests: 0, newMessages: 0, openTurns: 0, openUs: 0 as Micros };
  const paced = (cost: Partial<Allowance['cost']>, duration: number, share = 1): Of<'paced-to-limits'> => ({
    model: 'paced-to-limits',
    duration: ms(duration),
    share,
    turnsWithin: 0.99,
    allowance: { limits, cost: { ...none, ...cost } },
    start,
  });
  loadModelExam({
    models: fc
      .tuple(
        whole(1, 30),
        whole(0, 3),
        whole(0, 2),
        whole(0, 30_000_000),
        whole(1, 3 * 86_400_000),
        fc.constantFrom(0.1, 0.5, 1),
      )
      .map(([requests, newMessages, openTurns, openUs, duration, share]) =>
        paced({ requests, newMessages, openTurns, openUs: openUs as Micros }, duration, share),
      ),
    huge: {
      ...paced({ requests: 1 }, 86_400_000),
      allowance: { limits: { ...limits, rate: { max: 12_000_000, windowUs: MINUTE } }, cost: { ...none, requests: 1 } },
    },
  });

  /** The highest cost of the arrivals in a window of this length, wherever it starts. */
  const fullest = (times: readonly number[], windowUs: number, cost: number) =>
    Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + windowUs).length * cost));

  it('sends as much as the rate limit allows, and no more in any window', () => {
    const times = offsets(paced({ requests: 6 }, 3_600_000));
    // ⌊20 ÷ 6⌋ = 3 journeys per minute plus 20 ms.
    expect(times.slice(0, 4)).toEqual([0, 20_006_667, 40_013_333, 60_020_000]);
    expect(fullest(times, MINUTE, 6)).toBe(18);
    expect(described(paced({ requests: 6 }, 3_600_000))).toBe('paced to the limits: 2.999 per minute (rate), for 1 h');
  });

  it('waits for turns to end if concurrency is the tightest limit', () => {
    const model = paced({ requests: 2, openTurns: 1, openUs: 29_980_000 as Micros }, 120_000);
    expect(offsets(model)).toEqual([
      0, 15_000_000, 30_000_000, 45_000_000, 60_000_000, 75_000_000, 90_000_000, 105_000_000,
    ]);
    expect(described(model)).toContain('(concurrency)');
    const lone = paced({ requests: 2, openTurns: 2, openUs: 29_980_000 as Micros }, 90_000);
    expect(offsets(lone)).toEqual([0, 30_000_000, 60_000_000]);
  });

  it('keeps every day within its quota', () => {
    const times = offsets(paced({ requests: 1, newMessages: 2 }, 2.5 * 86_400_000));
    expect(times).toHaveLength(75);
    expect(fullest(times, DAY, 2)).toBe(50);
    expect(times[25]).toBe(DAY);
    const threeEach = offsets(paced({ requests: 1, newMessages: 3 }, 2 * 86_400_000));
    expect(fullest(threeEach, DAY, 3)).toBe(48);
    // 58 % of 50 is a little less than 29 in floating point.
    expect(offsets(paced({ requests: 1, newMessages: 1 }, 2 * 86_400_000, 0.58)).indexOf(DAY)).toBe(29);
    // Turns of an hour, one after another: 23 a day, which need no more of the quota.
    const long = paced({ requests: 1, newMessages: 1, openTurns: 2, openUs: 3_600_000_000 as Micros }, 2 * 86_400_000);
    expect(offsets(long).indexOf(DAY)).toBe(23);
  });

  it('takes a share of every limit', () => {
    const times = offsets(paced({ requests: 5 }, 3_600_000, 0.5));
    expect(fullest(times, MINUTE, 5)).toBe(10);
    expect(described(paced({ requests: 5 }, 60_000, 0.5))).toContain('paced to 50 % of the limits');
  });

  it('gives a journey several windows if it needs them', () => {
    expect(offsets(paced({ requests: 45 }, 300_000))).toEqual([0, 180_060_000]);
  });

  it('cannot be planned before its target is known', () => {
    const { allowance: _, ...unsettled } = paced({ requests: 1 }, 1_000);
    expect(() => offsets(unsettled)).toThrow('the allowance of paced-to-limits is unknown');
    expect(counted(paced({ requests: 1 }, 1_000))).toBe(1);
  });
});

describe('closed-users', () => {
  loadModelExam({
    models: whole(1, 200).map(
      (users): LoadModel => ({ model: 'closed-users', users, duration: ms(1_000), think: ms(0), start }),
    ),
  });

  it('gives each user its limits', () => {
    const model: LoadModel = {
      model: 'closed-users',
      users: 2,
      duration: ms(10_000),
      iterations: 3,
      think: ms(0),
      start,
    };
    expect(loadModelOf(model).users(model)).toEqual([
      { active: [{ fromUs: 0, untilUs: 10_000_000 }], iterations: 3 },
      { active: [{ fromUs: 0, untilUs: 10_000_000 }], iterations: 3 },
    ]);
    expect(described(model)).toBe('2 users one journey after the other, 3 journeys each for 10.0 s');
    expect(described({ ...model, users: 1, iterations: undefined })).toBe(
      '1 user one journey after the other for 10.0 s',
    );
  });
});

describe('ramping-users', () => {
  const rampingUsers = (from: number, ...stages: (readonly [number, number])[]): Of<'ramping-users'> => ({
    model: 'ramping-users',
    from,
    stages: stages.map(([to, duration]) => ({ to, duration: ms(duration) })),
    think: ms(0),
    start,
  });
  loadModelExam({
    models: fc
      .tuple(whole(0, 20), fc.array(fc.tuple(whole(0, 20), whole(1, 9_000)), { minLength: 1, maxLength: 5 }))
      .map(([from, stages]) => rampingUsers(from, ...stages))
      .filter(({ from, stages }) => from + stages.reduce((sum, { to }) => sum + to, 0) > 0),
  });
  const usersOf = (model: LoadModel) =>
    loadModelOf(model)
      .users(model)
      .map(({ active }) => active.map(({ fromUs, untilUs }) => [fromUs / 1_000, (untilUs ?? 0) / 1_000]));

  it('lets users join one by one, stay, and leave in the reverse order', () => {
    expect(usersOf(rampingUsers(0, [3, 3_000], [3, 2_000], [0, 3_000]))).toEqual([
      [[0, 8_000]],
      [[1_000, 7_000]],
      [[2_000, 6_000]],
    ]);
  });

  it('brings the same users back', () => {
    expect(usersOf(rampingUsers(2, [0, 0], [0, 1_000], [2, 0], [2, 1_000], [0, 2_000], [3, 3_000]))).toEqual([
      [[1_000, 7_000]],
      [
        [1_000, 3_000],
        [5_000, 7_000],
      ],
      [[6_000, 7_000]],
    ]);
  });

  it('has the interpolated number of users at each instant, rounded up', () => {
    fc.assert(
      fc.property(
        whole(0, 12),
        fc.array(fc.tuple(whole(0, 12), whole(1, 5_000)), { minLength: 1, maxLength: 4 }),
        (from, stages) => {
          const users = usersOf(rampingUsers(from, ...stages));
          let startMs = 0;
          let before = from;
          for (const [to, duration] of stages) {
            const at = startMs + duration / 3;
            const line = before + (to - before) / 3;
            const active = users.filter((times) => times.some(([on = 0, off = 0]) => on <= at && at < off)).length;
            expect(Math.abs(active - line)).toBeLessThanOrEqual(1);
            expect(active).toBeGreaterThanOrEqual(Math.floor(line));
            startMs += duration;
            before = to;
          }
        },
      ),
    );
  });
});

describe('shared-iterations', () => {
  loadModelExam({
    models: fc
      .tuple(whole(1, 50), whole(1, 1_000))
      .map(
        ([users, iterations]): LoadModel => ({ model: 'shared-iterations', users, iterations, think: ms(0), start }),
      ),
  });

  it('limits all users together, not each one', () => {
    const model: LoadModel = {
      model: 'shared-iterations',
      users: 2,
      iterations: 9,
      duration: ms(5_000),
      think: ms(0),
      start,
    };
    expect(loadModelOf(model).users(model)).toEqual([
      { active: [{ fromUs: 0, untilUs: 5_000_000 }] },
      { active: [{ fromUs: 0, untilUs: 5_000_000 }] },
    ]);
    expect(loadModelOf(model).sharedIterations?.(model)).toBe(9);
    expect(described(model)).toBe('2 users with 9 journeys together, none started after 5.00 s');
  });
});

describe('per-user-iterations', () => {
  loadModelExam({
    models: fc
      .tuple(whole(1, 50), whole(1, 1_000))
      .map(
        ([users, iterations]): LoadModel => ({ model: 'per-user-iterations', users, iterations, think: ms(0), start }),
      ),
  });

  it('limits each user', () => {
    const model: LoadModel = { model: 'per-user-iterations', users: 1, iterations: 9, think: ms(0), start };
    expect(loadModelOf(model).users(model)).toEqual([{ active: [{ fromUs: 0 }], iterations: 9 }]);
    expect(described(model)).toBe('1 user with 9 journeys each');
    const durationOf = (one: LoadModel) => loadModelOf(one).durationUs(one);
    expect([durationOf(model), durationOf({ ...model, duration: ms(5_000) })]).toEqual([0, 5_000_000]);
  });
});

describe('every load model', () => {
  it('is tested by the conformance suite', () => {
    expect([...examined].sort()).toEqual([...loadModelNames].sort());
  });

  it('has its row in README', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const [, rows = ''] = /\| load model \| when arrivals come \|\n\|---\|---\|\n((?:\|.+\n)+)/.exec(readme) ?? [];
    const named = [...rows.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...loadModelNames].sort());
  });
});
