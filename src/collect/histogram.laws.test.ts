import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { percentileRanks } from '../metrics/index.ts';
import { us } from '../testing/history/sample-records.ts';
import { MicrosHistogram, samplesNeeded } from './histogram.ts';

const DAY_US = 86_400_000_000;
const values = fc.array(
  fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 10_000_000 }), fc.integer({ min: 0, max: 7 * DAY_US })),
  { minLength: 1, maxLength: 300 },
);
const percents = fc.oneof(fc.constantFrom(50, 90, 95, 99, 99.9, 100), fc.double({ min: 0.01, max: 100, noNaN: true }));

function histogramOf(samples: readonly number[]): MicrosHistogram {
  const histogram = new MicrosHistogram();
  for (const sample of samples) histogram.record(sample);
  return histogram;
}

/** By nearest rank: the least value such that at least so many percent are not above it. */
function exactAt(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length * (1 - 2 ** -50)));
  return sorted[rank - 1] ?? Number.NaN;
}

describe('MicrosHistogram', () => {
  it('gives percentiles by nearest rank, at most 0.1 % above the sample, and never above the maximum', () => {
    fc.assert(
      fc.property(values, percents, (samples, percent) => {
        const exact = exactAt(samples, percent);
        const told = histogramOf(samples).at(percent) ?? Number.NaN;
        expect(told).toBeGreaterThanOrEqual(exact);
        expect(told).toBeLessThanOrEqual(Math.max(exact, exact * 1.001));
        expect(told).toBeLessThanOrEqual(Math.max(...samples));
      }),
    );
  });

  it('gives bounds that hold for the samples of their ranks: the lower end of the one bucket, the upper end of the other', () => {
    fc.assert(
      fc.property(values, fc.constantFrom(50, 90, 99), (samples, percent) => {
        const sorted = [...samples].sort((a, b) => a - b);
        const { lower, upper } = percentileRanks(percent, samples.length);
        const { lowUs, highUs } = histogramOf(samples).bounds(percent);
        const sample = (rank: number | undefined) => (rank === undefined ? undefined : sorted[rank - 1]);
        const [low, high] = [sample(lower), sample(upper)];
        expect([lowUs === undefined, highUs === undefined]).toEqual([low === undefined, high === undefined]);
        expect(lowUs ?? 0).toBeLessThanOrEqual(low ?? 0);
        expect(lowUs ?? 0).toBeGreaterThanOrEqual((low ?? 0) * 0.999);
        expect(highUs ?? 0).toBeGreaterThanOrEqual(high ?? 0);
        expect(highUs ?? 0).toBeLessThanOrEqual((high ?? 0) * 1.001);
      }),
    );
  });

  it('does not put the lower bound of a median above it, where most samples are equal', () => {
    const { lowUs, highUs } = histogramOf([...new Array<number>(20).fill(3_000), 5_000]).bounds(50);
    expect([lowUs, highUs]).toEqual([3_000, 3_001]);
  });

  it('has exact count, minimum, maximum, sum and mean, even after merging', () => {
    fc.assert(
      fc.property(values, values, (some, others) => {
        const merged = histogramOf(some);
        merged.add(histogramOf(others));
        const all = [...some, ...others];
        const sum = all.reduce((total, value) => total + value, 0);
        expect(merged.sum).toBe(sum);
        expect(merged.distribution()).toEqual(histogramOf(all).distribution());
        expect(merged.distribution()).toMatchObject({
          count: all.length,
          minUs: Math.min(...all),
          maxUs: Math.max(...all),
          meanUs: Math.round(sum / all.length),
        });
        expect(merged.encode()).toBe(histogramOf(all).encode());
      }),
      { numRuns: 50 },
    );
  });

  it('encodes what the library decodes', () => {
    const decoded = decodeFromCompressedBase64(histogramOf([1, 2_000, 3_000_000]).encode());
    expect(decoded.totalCount).toBe(3);
    expect(decoded.getValueAtPercentile(50)).toBe(2_000);
    expect(decoded.maxValue).toBeGreaterThanOrEqual(3_000_000);
  });

  it('encodes a header as the format has it: no index offset, a ratio of 1.0, and the lengths of what follows', () => {
    const encoded = Buffer.from(histogramOf([1, 2_000, 3_000_000]).encode(), 'base64');
    expect(encoded.readUInt32BE(0)).toBe(0x1c849314);
    expect(encoded.readInt32BE(4)).toBe(encoded.length - 8);
    const histogram = inflateSync(encoded.subarray(8));
    expect({
      cookie: histogram.readUInt32BE(0),
      payload: histogram.readInt32BE(4),
      indexOffset: histogram.readInt32BE(8),
      digits: histogram.readInt32BE(12),
      lowest: histogram.readBigInt64BE(16),
      highest: histogram.readBigInt64BE(24),
      ratio: histogram.readDoubleBE(32),
    }).toEqual({
      cookie: 0x1c849313,
      payload: histogram.length - 40,
      indexOffset: 0,
      digits: 3,
      lowest: 1n,
      highest: BigInt(7 * DAY_US),
      ratio: 1,
    });
  });
});

describe('what the library gets wrong', () => {
  it('is refused: NaN, fractions, infinities', () => {
    const histogram = new MicrosHistogram();
    for (const value of [Number.NaN, 1.5, Number.POSITIVE_INFINITY, 2 ** 60]) {
      expect(() => histogram.record(value)).toThrow(RangeError);
    }
    expect(histogram.count).toBe(0);
  });

  it('an empty one has no distribution and no percentile', () => {
    expect(new MicrosHistogram().distribution()).toBeUndefined();
    expect(new MicrosHistogram().at(50)).toBeUndefined();
    const other = histogramOf([5]);
    other.add(new MicrosHistogram());
    expect(other.distribution()).toMatchObject({ count: 1, minUs: 5, maxUs: 5 });
  });

  it('percentiles among values of more than 7 days are never below the sample, and their lower bounds never above it', () => {
    const long = fc.array(fc.oneof(fc.nat({ max: 9 }), fc.integer({ min: 7 * DAY_US, max: 10 ** 15 })), {
      minLength: 10,
      maxLength: 60,
    });
    fc.assert(
      fc.property(long, percents, (samples, percent) => {
        const histogram = histogramOf(samples);
        expect(histogram.at(percent)).toBeGreaterThanOrEqual(exactAt(samples, percent));
        expect(histogram.at(percent)).toBeLessThanOrEqual(Math.max(...samples));
        const lowest = histogram.bounds(50).lowUs ?? 0;
        expect(lowest).toBeLessThanOrEqual(exactAt(samples, 50));
      }),
    );
  });

  it('values of more than 7 days are counted, and exact in the maximum', () => {
    const histogram = histogramOf([10, 30 * DAY_US]);
    expect(histogram.distribution()).toMatchObject({ count: 2, maxUs: 30 * DAY_US, minUs: 10 });
    expect(histogram.at(100)).toBeGreaterThanOrEqual(7 * DAY_US);
  });

  it('counts a negative time as 0', () => {
    expect(histogramOf([-5]).distribution()).toMatchObject({ minUs: 0, maxUs: 0, meanUs: 0 });
  });

  it('counts do not wrap at 16 bits', () => {
    expect(histogramOf(new Array<number>(70_000).fill(7)).distribution()).toMatchObject({ count: 70_000, meanUs: 7 });
  });
});

describe('percentiles with too few samples', () => {
  it('need 1 / (1 − p) samples', () => {
    expect([50, 90, 95, 97.5, 99, 99.9, 99.99, 75, 66].map(samplesNeeded)).toEqual([
      2, 10, 20, 40, 100, 1_000, 10_000, 4, 3,
    ]);
  });

  it('are reported as too few', () => {
    const nine = histogramOf([1, 2, 3, 4, 5, 6, 7, 8, 9]).distribution();
    expect(nine?.percentiles).toEqual({
      p50: { us: 5, bounds: { lowUs: 2, highUs: 8, method: 'order-statistics' } },
      p90: { tooFew: { have: 9, need: 10 } },
      p95: { tooFew: { have: 9, need: 20 } },
      p99: { tooFew: { have: 9, need: 100 } },
      p999: { tooFew: { have: 9, need: 1_000 } },
    });
    // The 90th of ten is told, but nothing bounds it from above.
    const ten = histogramOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]).distribution();
    expect(ten?.percentiles.p90).toEqual({ us: 9, bounds: { lowUs: 7, method: 'order-statistics' } });
    const hundred = histogramOf(Array.from({ length: 100 }, (_, index) => (index + 1) * 10)).distribution();
    expect(hundred?.percentiles).toMatchObject({
      p50: { us: 500 },
      p90: { us: 900 },
      p95: { us: 950 },
      p99: { us: 990 },
    });
  });
});

describe('bounds of a percentile', () => {
  it('are samples around the estimate', () => {
    fc.assert(
      fc.property(values, percents, (samples, percent) => {
        if (percent === 100) return;
        const histogram = histogramOf(samples);
        const { lowUs = 0, highUs = Number.POSITIVE_INFINITY, method } = histogram.bounds(percent);
        const estimate = histogram.at(percent) ?? Number.NaN;
        expect(method).toBe('order-statistics');
        expect(lowUs).toBeLessThanOrEqual(estimate);
        expect(highUs).toBeGreaterThanOrEqual(estimate);
      }),
    );
  });

  it('are equal for merged parts, whenever their samples were taken', () => {
    const timed = fc.array(fc.tuple(fc.nat({ max: 100_000 }), fc.nat({ max: 200_000_000 })), {
      minLength: 300,
      maxLength: 600,
    });
    fc.assert(
      fc.property(timed, fc.nat(), (samples, cut) => {
        const fill = (some: typeof samples) => {
          const histogram = new MicrosHistogram();
          for (const [value, at] of some) histogram.record(value, us(at));
          return histogram;
        };
        const whole = fill(samples);
        const first = fill(samples.slice(cut % samples.length).reverse());
        first.add(fill(samples.slice(0, cut % samples.length)));
        for (const percent of [50, 90, 99]) expect(first.bounds(percent)).toEqual(whole.bounds(percent));
      }),
      { numRuns: 20 },
    );
  });

  /** A service that has slow and fast spells of some seconds: neighbours are alike. */
  function missesOf(spellSeconds: number, timed: boolean): { share: number; widened: number } {
    const random = seededRandom(5, 'spells', spellSeconds);
    const runs = 300;
    let misses = 0;
    let widened = 0;
    for (let run = 0; run < runs; run++) {
      const histogram = new MicrosHistogram();
      let spell = 0;
      for (let index = 0; index < 1_200; index++) {
        const at = index * 50_000;
        if (spellSeconds === 0 || at % (spellSeconds * 1_000_000) === 0) spell = random.next();
        const value = Math.round(10_000 * (0.7 * spell + 0.3 * random.next()));
        histogram.record(value, timed ? us(at) : undefined);
      }
      // The sum of two independent uniforms: its median is in the middle.
      const { lowUs = 0, highUs = Number.POSITIVE_INFINITY, method } = histogram.bounds(50);
      if (lowUs > 5_000 || highUs < 4_995) misses++;
      if (method === 'batch-means') widened++;
    }
    return { share: misses / runs, widened };
  }

  it('hold if neighbouring samples are similar, unlike order statistics alone', () => {
    const independent = missesOf(0, true);
    expect(independent.share).toBeLessThan(0.13);
    const naive = missesOf(2, false);
    expect(naive.share).toBeGreaterThan(0.4);
    const { share, widened } = missesOf(2, true);
    expect(share).toBeLessThan(0.16);
    expect(widened).toBeGreaterThan(290);
  });

  it.each([
    [50, 103_000],
    [90, 105_000],
  ])('hold if all that varies over time is a few per cent of the latency: p%d', (percent, truth) => {
    const random = seededRandom(6, 'narrow', percent);
    const runs = 300;
    let [above, below] = [0, 0];
    for (let run = 0; run < runs; run++) {
      const histogram = new MicrosHistogram();
      for (let second = 0; second < 60; second++) {
        const spell = 5_000 * random.next();
        for (let index = 0; index < 20; index++)
          histogram.record(
            Math.round(100_000 + spell + 1_000 * random.next()),
            us(second * 1_000_000 + index * 50_000),
          );
      }
      const { lowUs = 0, highUs = Number.POSITIVE_INFINITY } = histogram.bounds(percent);
      if (lowUs > truth) above++;
      if (highUs < truth) below++;
    }
    // Each end may miss in 5 % of the runs; batch means are approximate.
    expect(above / runs).toBeLessThan(0.1);
    expect(below / runs).toBeLessThan(0.1);
  });
});

it('variation over time widens bounds if there are at least ten samples per interval', () => {
  // Slow for half of the run: neighbours are alike, and samples are far from independent.
  const boundsOf = (perSecond: number) => {
    const histogram = new MicrosHistogram();
    for (let sample = 0; sample < 20 * perSecond; sample++) {
      const second = Math.floor(sample / perSecond);
      histogram.record(second < 10 ? 1_000 + sample : 9_000 + sample, us(second * 1_000_000 + sample));
    }
    return histogram.bounds(50);
  };
  expect(boundsOf(10).method).toBe('batch-means');
  expect(boundsOf(9).method).toBe('order-statistics');
});
