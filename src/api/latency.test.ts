import { describe, expect, it } from 'vitest';
import { seededRandom } from '../base/index.ts';
import { sampleLatency } from './latency.ts';
import { LatencyDistribution } from './values.ts';

function sorted(input: unknown, count = 20_000): number[] {
  const distribution = LatencyDistribution.parse(input);
  const random = seededRandom(7, 'latency');
  return Array.from({ length: count }, () => sampleLatency(distribution, random)).sort((a, b) => a - b);
}
const quantile = (values: readonly number[], q: number) => values[Math.floor(q * values.length)] ?? Number.NaN;

it.each([
  [{ distribution: 'uniform', min: '2s', max: '1s' }, 'max must not be below min'],
  [{ distribution: 'lognormal', median: '2s', p95: '1s' }, 'p95'],
])('%j is no distribution', (input, message) => {
  const { error } = LatencyDistribution.safeParse(input);
  expect(error?.issues.map((issue) => issue.message).join()).toContain(message);
});

describe('sampleLatency', () => {
  it('returns a constant', () => {
    expect(new Set(sorted({ distribution: 'constant', value: '1.5s' }))).toEqual(new Set([1_500]));
  });

  it('draws a uniform evenly over its range', () => {
    const values = sorted({ distribution: 'uniform', min: '1s', max: '2s' });
    expect(values[0]).toBeGreaterThanOrEqual(1_000);
    expect(values.at(-1)).toBeLessThan(2_000);
    for (const q of [0.1, 0.5, 0.9]) expect(Math.abs(quantile(values, q) - (1_000 + 1_000 * q))).toBeLessThan(15);
  });

  it('draws a lognormal with the given median and 95th percentile, within 3 %', () => {
    const values = sorted({ distribution: 'lognormal', median: '2s', p95: '5s' });
    expect(Math.abs(quantile(values, 0.5) / 2_000 - 1)).toBeLessThan(0.03);
    expect(Math.abs(quantile(values, 0.95) / 5_000 - 1)).toBeLessThan(0.03);
  });

  it('draws an exponential with the given mean, within 3 %', () => {
    const values = sorted({ distribution: 'exponential', mean: '2s' });
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(Math.abs(mean / 2_000 - 1)).toBeLessThan(0.03);
    expect(values[0]).toBeGreaterThanOrEqual(0);
  });

  it('draws the same number of random numbers for every distribution', () => {
    const after = ['constant', 'exponential'].map((kind) => {
      const random = seededRandom(1);
      sampleLatency(
        LatencyDistribution.parse({ distribution: kind, [kind === 'constant' ? 'value' : 'mean']: '1s' }),
        random,
      );
      return random.next();
    });
    expect(after[0]).toBe(after[1]);
  });
});
