import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { percentileRanks } from '../../metrics/index.ts';
import { DAY_US, histogramOf, percents, values } from './histogram.exam.ts';
import { MicrosHistogram } from './histogram.ts';

/** By nearest rank: the least value such that at least so many percent are not above it. */
function exactAt(samples: readonly number[], percent: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil((percent / 100) * sorted.length * (1 - 2 ** -50)));
  return sorted[rank - 1] ?? Number.NaN;
}

describe('MicrosHistogram', () => {
  it('tells of all samples, those included that came after it was asked', () => {
    fc.assert(
      fc.property(values, values, (before, since) => {
        const histogram = histogramOf(before);
        const told = histogram.distribution();
        for (const value of since) histogram.record(value);
        expect(told).toEqual(histogramOf(before).distribution());
        expect(histogram.distribution()).toEqual(histogramOf([...before, ...since]).distribution());
        histogram.add(histogramOf(since));
        expect(histogram.distribution()).toEqual(histogramOf([...before, ...since, ...since]).distribution());
      }),
      { numRuns: 10 },
    );
  });

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
