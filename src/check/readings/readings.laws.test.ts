import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { Part } from '../evidence/slice.ts';
import { honestLimiters, honestSlidingLog, honestTokenBucket } from './honest-limiters.exam.ts';
import { rateReadings, readingNamed } from './index.ts';
import { feasible, refute } from './reading.exam.ts';
import { type Attempt, boundsFor, sliceOf } from './sample-attempts.exam.ts';

/*
 * Every reading against an exhaustive search over decision instants. N = 2 per W = 4 and times in whole units, so that
 * windows, tokens (2 each) and intervals meet at their edges all the time.
 */
const MAX = 2;
const WINDOW = 4;
/** Parts of a unit, and attempts at most: one part more than attempts. */
const GRID = 5;
const MOST = 4;
const PHASES = Array.from({ length: WINDOW * GRID }, (_, phase) => phase);

const attempts = (parts: readonly Part[], most: number, longest: number) =>
  fc.array(
    fc
      .tuple(fc.nat({ max: 12 }), fc.nat({ max: longest }), fc.constantFrom(...parts))
      .map(([from, length, part]): Attempt => ({ from, to: from + length, part })),
    { minLength: 2, maxLength: most },
  );

const named = (name: string) => {
  const reading = readingNamed(rateReadings, name);
  if (!reading) throw new Error(`no reading ${name}`);
  return reading;
};
const bounds = boundsFor(MAX, WINDOW);

describe.each(Object.entries(honestLimiters))('what an honest %s can have done', (_, { make, readings }) => {
  it.each(readings)('is never refuted as %s', (name) => {
    const history = attempts([Part.admitted, Part.admitted, Part.refused, Part.maybe], MOST, 2);
    const law = fc.property(history, (seen) => {
      if (!refute(named(name), sliceOf(seen), bounds)) return;
      expect(feasible(make, seen, MAX, WINDOW, GRID, name === 'fixed-window-aligned' ? [0] : PHASES)).toBe(false);
    });
    fc.assert(law, { numRuns: runs(1_500), seed: 4 });
  });
});

/** Ends rise with beginnings: no interval holds another. */
const agreeable = (seen: readonly Attempt[]): Attempt[] => {
  const from = seen.map((one) => one.from).sort((a, b) => a - b);
  const to = seen.map((one) => one.to).sort((a, b) => a - b);
  return from.map((begin, i) => ({ from: begin, to: to[i] as number, part: Part.admitted }));
};

describe('over-admission is found whenever it is there, as long as intervals do not nest', () => {
  it.each([
    ['sliding-log', honestSlidingLog],
    ['token-bucket', honestTokenBucket],
  ] as const)('%s', (name, make) => {
    const law = fc.property(attempts([Part.admitted], 7, 5), (seen) => {
      const history = agreeable(seen);
      const found = named(name).overAdmission(sliceOf(history), bounds) !== undefined;
      expect(found).toBe(!feasible(make, history, MAX, WINDOW, 1));
    });
    fc.assert(law, { numRuns: runs(1_500), seed: 5 });
  });
});

describe('of no more than N attempts none is too many, so that the judge may leave out buckets that saw no more', () => {
  it.each(rateReadings.map(({ name }) => name))('%s', (name) => {
    const most = 4;
    const any = attempts([Part.admitted, Part.admitted, Part.refused, Part.maybe, Part.ambiguous], most, 5);
    const law = fc.property(any, (seen) => {
      expect(named(name).overAdmission(sliceOf(seen), boundsFor(most, WINDOW))).toBeUndefined();
    });
    fc.assert(law, { numRuns: runs(1_000), seed: 7 });
  });
});

describe('how often a reading misses what an exhaustive search refutes', () => {
  /** Most of 100 infeasible histories that may be missed; measured, so that losing power is noticed. */
  const allowed: Readonly<Record<string, number>> = {
    'sliding log': 2,
    'sliding log counting refused': 3,
    'token bucket': 3,
    'interval refill': 32,
    'fixed window': 3,
    'fixed window aligned': 5,
    'anchored window': 3,
    penalty: 8,
    // Its tolerance of one is half of N here; what it costs at N = 20, sliding-counter.test.ts shows.
    'sliding counter': 55,
  };
  it.each(Object.entries(allowed))('%s', (name, most) => {
    const { make, readings } = honestLimiters[name] as (typeof honestLimiters)[string];
    const histories = fc.sample(attempts([Part.admitted, Part.admitted, Part.refused], MOST, 1), {
      numRuns: 1_000,
      seed: 6,
    });
    const infeasible = histories.filter(
      (seen) => !feasible(make, seen, MAX, WINDOW, GRID, name === 'fixed window aligned' ? [0] : PHASES),
    );
    const missed = infeasible.filter((seen) => !refute(named(readings[0] as string), sliceOf(seen), bounds));
    const per100 = (100 * missed.length) / infeasible.length;
    expect(infeasible.length).toBeGreaterThan(100);
    expect(per100).toBeLessThanOrEqual(most);
  });
});
