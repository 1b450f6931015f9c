import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { percentileRanks } from '../../metrics/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { MetricSeries } from './metric-series.ts';
import type { Reading } from './reading.ts';
import { type Sample, slidingWindows } from './sliding.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Of the median, by order statistics. */
function boundsOf(sorted: readonly number[]) {
  const { lower, upper } = percentileRanks(50, sorted.length);
  return {
    ...(lower !== undefined && { lowUs: sorted[lower - 1] }),
    ...(upper !== undefined && { highUs: sorted[upper - 1] }),
    method: 'order-statistics',
  };
}

describe('windows', () => {
  const samplesArbitrary = fc.array(
    fc.record({
      value: fc.integer({ min: -5, max: 50 }),
      at: fc.nat({ max: 40 }).map((quarter) => us(quarter * 250_000)),
      whole: fc.nat({ max: 3 }),
    }),
    { maxLength: 40 },
  );

  it('contain the samples of their time span and no others', () => {
    fc.assert(
      fc.property(
        samplesArbitrary,
        fc.integer({ min: 1, max: 5 }),
        fc.nat({ max: 3_000_000 }),
        (samples, seconds, from) => {
          const windowUs = us(seconds * 1_000_000);
          const stretch = { fromUs: us(from), toUs: us(9_500_000) };
          const found = [...slidingWindows('trend', samples, windowUs, stretch)].map(({ fromUs, toUs, reading }) => {
            const { samples: inside } = reading as Extract<Reading, { type: 'trend' }>;
            const { count = 0, min, max, mean } = inside ?? {};
            return [fromUs, toUs, count, min, max, inside?.at(50), mean, inside?.bounds(50)];
          });
          const expected: unknown[][] = [];
          let before = 'none';
          for (let end = 1_000_000; end <= 9_000_000; end += 1_000_000) {
            if (end - windowUs < from) continue;
            const inside = samples.filter(({ at }) => at >= end - windowUs && at < end);
            const key = JSON.stringify(inside);
            if (key !== before) {
              const sorted = inside.map(({ value }: Sample) => Math.max(0, value)).sort((a, b) => a - b);
              const count = sorted.length;
              const [least, most] = [sorted[0], sorted.at(-1)];
              const middle = sorted[Math.ceil(count / 2) - 1];
              const told =
                count > 0 ? [middle, sum(sorted) / count, boundsOf(sorted)] : [undefined, undefined, undefined];
              expected.push([end - windowUs, end, count, least, most, ...told]);
            }
            before = key;
          }
          // Where one sample comes as an equal one goes, the window is told again: that is no fault.
          const distinct = (rows: readonly unknown[][]) =>
            rows.filter(
              (row, index) => index === 0 || JSON.stringify(row.slice(2)) !== JSON.stringify(rows[index - 1]?.slice(2)),
            );
          expect(distinct(found)).toEqual(distinct(expected));
        },
      ),
    );
  });

  it('of counters and rates add up the samples of their time span', () => {
    fc.assert(
      fc.property(samplesArbitrary, fc.integer({ min: 1, max: 5 }), (samples, seconds) => {
        const run = { fromUs: us(0), toUs: us(9_500_000) };
        const windowsOf = (type: 'counter' | 'rate') => [
          ...slidingWindows(type, samples, us(seconds * 1_000_000), run),
        ];
        for (const { fromUs, toUs, reading } of [...windowsOf('counter'), ...windowsOf('rate')]) {
          const inside = samples.filter(({ at }) => at >= fromUs && at < toUs);
          const part = sum(inside.map(({ value }) => Math.max(0, value)));
          const whole = sum(inside.map((sample) => sample.whole));
          expect(reading).toEqual(
            reading.type === 'counter' ? { type: 'counter', count: part, seconds } : { type: 'rate', part, whole },
          );
        }
      }),
    );
  });

  it('of a counter report its rate per second', () => {
    const random = seededRandom(3);
    const records = Array.from({ length: 60 }, (_, seq) =>
      exchange({ seq, sentAt: us(seq * 100_000), receivedAt: us(seq * 100_000 + random.integer(1_000)) }),
    );
    const series = new MetricSeries([{ metric: 'http_reqs', tags: {}, windowUs: us(2_000_000) }]);
    for (const record of [header({ warmUpUs: us(1_500_000) }), ...records, end({ at: us(6_000_000), exchanges: 60 })])
      series.add(record);
    expect([...series.windows(0)].map(({ fromUs, reading }) => [fromUs, reading])).toEqual([
      [2_000_000, { type: 'counter', count: 20, seconds: 2 }],
      [3_000_000, { type: 'counter', count: 20, seconds: 2 }],
      [4_000_000, { type: 'counter', count: 20, seconds: 2 }],
    ]);
    expect(series.reading(0)).toEqual({ type: 'counter', count: 45, seconds: 4.5 });
  });
});
