import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import { independentSamples } from './batch-means.ts';
import { highestCarried, percentileRanks, samplesForLowerBound, samplesForUpperBound, shareBounds } from './bounds.ts';
import { binomialAtMost, incompleteBeta, studentQuantile } from './incomplete-beta.ts';

/** Reference: the sum of the terms. */
function binomialByTerms(k: number, n: number, share: number): number {
  let term = (1 - share) ** n;
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += term;
    term *= ((n - i) / (i + 1)) * (share / (1 - share));
  }
  return sum;
}

describe('the distributions', () => {
  it('agree with their tables', () => {
    expect(incompleteBeta(0.5, 2, 3)).toBeCloseTo(0.6875, 13);
    expect(incompleteBeta(0.2, 1, 7)).toBeCloseTo(1 - 0.8 ** 7, 13);
    expect([incompleteBeta(0, 2, 3), incompleteBeta(1, 2, 3)]).toEqual([0, 1]);
    // One-sided 95 % quantiles of Student's t: Fisher and Yates.
    expect([1, 2, 10, 30].map((freedom) => Number(studentQuantile(0.95, freedom).toFixed(3)))).toEqual([
      6.314, 2.92, 1.812, 1.697,
    ]);
    expect(studentQuantile(0.95, 1e7)).toBeCloseTo(1.6448536, 6);
  });

  it('the binomial is the sum of its terms', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.double({ min: 0.05, max: 0.95, noNaN: true }),
        fc.nat(),
        (n, share, draw) => {
          const k = draw % n;
          expect(binomialAtMost(k, n, share)).toBeCloseTo(binomialByTerms(k, n, share), 9);
        },
      ),
    );
  });
});

describe('how many samples a percentile needs for a bound', () => {
  it('matches the known numbers', () => {
    expect([0, 50, 75, 90, 95, 99, 99.9, 100].map(samplesForUpperBound)).toEqual([
      1,
      5,
      11,
      29,
      59,
      299,
      2_995,
      Number.POSITIVE_INFINITY,
    ]);
    expect([100, 95, 50, 5].map(samplesForLowerBound)).toEqual([1, 1, 5, 59]);
    expect([1, 28, 29, 50, 58, 59].map(highestCarried)).toEqual([5, 89.8, 90.1, 94.1, 94.9, 95]);
  });

  it('is the smallest number with a bound', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 99.9, noNaN: true }), (percent) => {
        const need = samplesForUpperBound(percent);
        expect(percentileRanks(percent, need).upper).toBe(need);
        if (need > 1) expect(percentileRanks(percent, need - 1)).not.toHaveProperty('upper');
        const lowNeed = samplesForLowerBound(percent);
        expect(percentileRanks(percent, lowNeed).lower).toBe(1);
        if (lowNeed > 1) expect(percentileRanks(percent, lowNeed - 1)).not.toHaveProperty('lower');
      }),
    );
  });
});

describe('the bounds of a percentile', () => {
  it('are symmetric, ordered, and become narrower with more samples', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 5_000 }), fc.integer({ min: 1, max: 99 }), (count, percent) => {
        const { lower = 0, upper = count + 1 } = percentileRanks(percent, count);
        expect(lower).toBeLessThan(upper);
        const mirrored = percentileRanks(100 - percent, count);
        expect([count + 1 - (mirrored.upper ?? count + 1), count + 1 - (mirrored.lower ?? 0)]).toEqual([lower, upper]);
        const more = percentileRanks(percent, 16 * count);
        if (more.upper !== undefined) expect((more.upper - (more.lower ?? 0)) / 16).toBeLessThan(upper - lower + 1);
      }),
    );
  });

  it('have at least the promised coverage, for any distribution', () => {
    const random = seededRandom(11, 'coverage');
    const rounds = 4_000;
    for (const [percent, count] of [
      [50, 20],
      [90, 50],
      [95, 59],
    ] as const) {
      const { lower = 0, upper = 0 } = percentileRanks(percent, count);
      const truth = percent / 100;
      let above = 0;
      let below = 0;
      for (let round = 0; round < rounds; round++) {
        // Uniform samples suffice: bounds by ranks are invariant under increasing transformations.
        const samples = Array.from({ length: count }, () => random.next()).sort((a, b) => a - b);
        if ((samples[lower - 1] ?? 0) > truth) above++;
        if ((samples[upper - 1] ?? 1) < truth) below++;
      }
      expect(above / rounds).toBeLessThan(0.06);
      expect(below / rounds).toBeLessThan(0.06);
      expect(above + below).toBeGreaterThan(0);
    }
  });
});

describe('the bounds of a share', () => {
  it('are those of Clopper and Pearson', () => {
    expect(shareBounds(0, 50)).toEqual({ lower: 0, upper: expect.closeTo(1 - 0.05 ** (1 / 50), 12) });
    expect(shareBounds(50, 50)).toEqual({ lower: expect.closeTo(0.05 ** (1 / 50), 12), upper: 1 });
    const { lower, upper } = shareBounds(5, 50);
    expect(1 - binomialAtMost(4, 50, lower)).toBeCloseTo(0.05, 9);
    expect(binomialAtMost(5, 50, upper)).toBeCloseTo(0.05, 9);
  });

  it('approach those of the normal distribution with many samples', () => {
    const whole = 4_000_000;
    const { lower, upper } = shareBounds(whole / 2, whole);
    const distance = (1.6448536 * 0.5) / Math.sqrt(whole);
    expect(0.5 - lower).toBeCloseTo(distance, 6);
    expect(upper - 0.5).toBeCloseTo(distance, 6);
  });
});

describe('batch means', () => {
  const batches = (shares: readonly number[]) =>
    shares.map((share) => ({ count: 100, notAbove: Math.round(100 * share) }));

  const alternating = (low: number, high: number) =>
    batches(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? low : high)));

  it('are worth fewer samples, the more intervals differ, and nothing is known of fewer than ten intervals', () => {
    const calm = independentSamples(alternating(0.89, 0.91), 'alike');
    const stormy = independentSamples(alternating(0.8, 1), 'alike');
    // The share's error of ±0.1 in 20 intervals: variance 0.1² / 19.
    const t = studentQuantile(0.95, 19) / studentQuantile(0.95, 1_999);
    expect(stormy).toBeCloseTo((0.9 * 0.1) / ((0.1 ** 2 / 19) * t ** 2), 6);
    expect(calm).toBe(2_000);
    expect(independentSamples(alternating(0.9, 0.9), 'alike')).toBe(2_000);
    const nine = Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? 0.8 : 1));
    expect(independentSamples(batches([...nine, 0.9]), 'alike')).toBeGreaterThan(0);
    expect(independentSamples(batches(nine), 'alike')).toBeUndefined();
    // An interval without samples says nothing.
    expect(independentSamples([...batches(nine), { count: 0, notAbove: 0 }], 'alike')).toBeUndefined();
  });

  it('count intervals that are like their neighbours as fewer, unless only these are asked about', () => {
    const shift = batches(Array.from({ length: 20 }, (_, i) => (i < 10 ? 0.8 : 1)));
    // One change in the middle: correlation 0.85 + 1/20, so 19 intervals are worth one.
    const t = studentQuantile(0.95, 1) / studentQuantile(0.95, 1_999);
    expect(independentSamples(shift, 'alike')).toBeCloseTo((0.9 * 0.1) / (0.1 ** 2 * t ** 2), 6);
    expect(independentSamples(shift, 'independent')).toBe(independentSamples(alternating(0.8, 1), 'alike'));
  });

  it('give a bound that misses a share drifting over several intervals in fewer than 10 % of the runs, not in 20 %', () => {
    const missed = missesOfDrift('alike');
    expect(missed).toBeGreaterThan(0.03);
    expect(missed).toBeLessThan(0.1);
    expect(missesOfDrift('independent')).toBeGreaterThan(0.2);
  });

  /** Share of runs whose samples contradict the truth: nine of ten are not above the value, drifting about that. */
  function missesOfDrift(neighbours: 'alike' | 'independent'): number {
    const random = seededRandom(5, 'drift');
    const rounds = runs(2_000, 500);
    let missed = 0;
    for (let round = 0; round < rounds; round++) {
      let drift = normal(random);
      const shares = Array.from({ length: 30 }, () => {
        // Neighbouring intervals of 2 s correlate with 0.67 where what is slow forgets itself in 5 s.
        drift = 0.67 * drift + Math.sqrt(1 - 0.67 ** 2) * normal(random);
        return 0.9 + 0.02 * drift;
      });
      const share = shares.reduce((sum, value) => sum + value, 0) / shares.length;
      const alike = shares.map((value) => ({ count: 1_000, notAbove: 1_000 * value }));
      const worth = Math.floor(independentSamples(alike, neighbours) ?? 0);
      const { lower = 0 } = percentileRanks(90, worth);
      if (share < lower / worth) missed++;
    }
    return missed / rounds;
  }
});

/** Standard normal, by Box and Muller. */
const normal = (random: { next(): number }): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
