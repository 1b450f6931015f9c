import { expect } from 'vitest';
import type { Distribution } from '../collect/index.ts';
import type { Results } from './results.ts';

/** Nearest rank. @param share above 0, up to 1 */
export const percentileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;

const shares = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;

/**
 * Expects every latency in summary.json to match requests.csv: count, minimum and maximum exactly; percentiles within the precision of
 * the histogram, which reports the upper end of a bucket of a thousandth.
 * @returns how many percentiles were compared
 */
export function expectLatenciesOfRows(results: Results): number {
  let compared = 0;
  const rows = results
    .rows('requests.csv')
    .filter(({ warm_up, outcome }) => warm_up !== 'true' && (outcome === 'answered' || outcome === 'refused'));
  const compare = (distribution: Distribution | undefined, values: readonly number[], what: string) => {
    const sorted = [...values].sort((a, b) => a - b);
    expect(distribution, what).toMatchObject({ count: sorted.length, minUs: sorted[0], maxUs: sorted.at(-1) });
    for (const [name, share] of Object.entries(shares) as [keyof typeof shares, number][]) {
      const told = distribution?.percentiles[name];
      if (told === undefined || !('us' in told)) continue;
      const exact = percentileOf(sorted, share);
      expect(told.us, `${what} ${name}`).toBeGreaterThanOrEqual(exact);
      expect(told.us, `${what} ${name}`).toBeLessThanOrEqual(Math.ceil(exact * 1.001));
      compared++;
    }
  };
  const { operations, total } = results.summary();
  for (const [operation, { latency }] of [...Object.entries(operations), ['all operations', total] as const]) {
    const own = rows.filter((row) => operation === 'all operations' || row.operation === operation);
    if (own.length === 0) continue;
    compare(
      latency.answers?.service,
      own.map(({ service_us }) => Number(service_us)),
      `${operation} service`,
    );
    compare(
      latency.answers?.response,
      own.map(({ response_us }) => Number(response_us)),
      `${operation} response`,
    );
  }
  return compared;
}
