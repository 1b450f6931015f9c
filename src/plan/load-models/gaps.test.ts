import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { gammaVariate } from './gamma.ts';
import { loadModelOf } from './index.ts';
import { burst, described, gamma, offsets, poisson, replay } from './models.exam.ts';

/** Mean and standard deviation of the gaps between times, in seconds. */
function gapsIn(times: readonly number[]) {
  const gaps = times.slice(1).map((time, k) => (time - (times[k] ?? 0)) / 1_000_000);
  const mean = gaps.reduce((a, b) => a + b, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / (gaps.length - 1);
  return { mean, deviation: Math.sqrt(variance), count: gaps.length };
}

describe('poisson', () => {
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

describe('gamma', () => {
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
  it('has all arrivals at once, or one gap apart', () => {
    expect(offsets(burst(3, 0))).toEqual([0, 0, 0]);
    expect(offsets(burst(3, 250))).toEqual([0, 250_000, 500_000]);
    expect([described(burst(3, 0)), described(burst(3, 250))]).toEqual(['3 at once', '3, 250 ms apart']);
  });
});

describe('replay', () => {
  it('keeps the recorded gaps, or scales all of them', () => {
    expect(offsets(replay([0, 10, 25]))).toEqual([0, 10, 25]);
    expect(offsets(replay([0, 10, 25], 2))).toEqual([0, 5, 13]);
    expect(described(replay([0, 10, 25_000_000], 2))).toBe(
      '3 as recorded in times.csv at 2 times its speed, within 12.5 s',
    );
    expect(described(replay([0, 10, 25_000_000]))).toBe('3 as recorded in times.csv, within 25.0 s');
    expect(described(replay(Array.from({ length: 1_234 }, () => 0)))).toBe(
      '1,234 as recorded in times.csv, within 0 ms',
    );
  });

  it('cannot be planned before its file is read', () => {
    const { recording: _, ...unread } = replay([0]);
    expect(() => offsets(unread)).toThrow('the times of recorded/times.csv are not loaded');
  });
});
