import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { histogramOf, percents, values } from './histogram.exam.ts';
import { MicrosHistogram, samplesNeeded } from './histogram.ts';

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
  function missesOf(spellSeconds: number, timed: boolean, gapUs = 50_000): { share: number; widened: number } {
    const random = seededRandom(5, 'spells', spellSeconds);
    const runs = 300;
    let misses = 0;
    let widened = 0;
    for (let run = 0; run < runs; run++) {
      const histogram = new MicrosHistogram();
      let spell = 0;
      for (let at = 0; at < 60_000_000; at += gapUs) {
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

  it('hold also if samples are few a second, which are then compared in longer stretches of time', () => {
    // Four a second: 240 samples, too few for ten in each of 30 stretches of two seconds.
    expect(missesOf(2, false, 250_000).share).toBeGreaterThan(0.3);
    expect(missesOf(2, true, 250_000).share).toBeLessThan(0.12);
    expect(missesOf(0, true, 250_000).share).toBeLessThan(0.1);
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

it('variation over time widens bounds if there are at least ten stretches of ten samples', () => {
  // Slow for half of the run: neighbours are alike, and samples are far from independent.
  const boundsOf = (perSecond: number) => {
    const histogram = new MicrosHistogram();
    for (let sample = 0; sample < 20 * perSecond; sample++) {
      const second = Math.floor(sample / perSecond);
      histogram.record(second < 10 ? 1_000 + sample : 9_000 + sample, us(second * 1_000_000 + sample));
    }
    return histogram.bounds(50);
  };
  expect(boundsOf(5).method).toBe('batch-means');
  expect(boundsOf(4).method).toBe('order-statistics');
});
