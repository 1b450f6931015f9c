import type { Reading } from '../collect/index.ts';
import { type Aggregation, type MetricName, metricOf } from '../metrics/index.ts';

/** Units of the numbers that are judged and compared: as in k6, times are in milliseconds, shares from 0 to 1. */
export type Unit = 'ms' | 'share' | 'count' | 'bytes' | '1/s' | 'bytes/s';

/** What follows the digits of a number; those of a share are in percent. */
export const suffixes: Readonly<Record<Unit, string>> = {
  ms: ' ms',
  share: ' %',
  count: '',
  bytes: ' bytes',
  '1/s': ' a second',
  'bytes/s': ' bytes a second',
};

/** The unit of a metric's aggregation: per second for a counter's `rate`. */
export function unitOf(metric: MetricName, aggregation: Aggregation): Unit {
  const { type, unit } = metricOf(metric);
  if (unit === 'us') return 'ms';
  if (type !== 'counter' || aggregation.of !== 'rate') return unit;
  return unit === 'bytes' ? 'bytes/s' : '1/s';
}

/** The value of a counter or a gauge in that unit; `undefined` of a counter if no time was measured, of a gauge without samples. */
export function exactValue(
  metric: MetricName,
  aggregation: Aggregation,
  reading: Extract<Reading, { type: 'counter' | 'gauge' }>,
): number | undefined {
  if (reading.type === 'gauge') {
    const { value } = reading;
    return value !== undefined && unitOf(metric, aggregation) === 'ms' ? value / 1_000 : value;
  }
  if (aggregation.of === 'count') return reading.count;
  return reading.seconds > 0 ? reading.count / reading.seconds : undefined;
}
