import { expect, it } from 'vitest';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import { MetricSeries } from './metric-series.ts';

it('the window that ends now contains its first instant, and not its last', () => {
  const series = new MetricSeries([{ metric: 'http_reqs', tags: {}, windowUs: us(2_000_000) }]);
  series.add(header());
  for (const [seq, receivedAt] of [999_999, 1_000_000, 2_999_999, 3_000_000].entries())
    series.add(exchange({ seq, receivedAt: us(receivedAt) }));
  expect([...series.windows(0, us(3_400_000))]).toEqual([
    { fromUs: 1_000_000, toUs: 3_000_000, reading: { type: 'counter', count: 2, seconds: 2 } },
  ]);
});
