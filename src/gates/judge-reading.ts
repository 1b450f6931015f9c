import type { Reading } from '../collect/index.ts';
import { type Expression, type MetricName, metricOf } from '../metrics/index.ts';
import { holds } from './compare-number.ts';
import { judgeShare } from './judge-share.ts';
import { judgeTrend } from './judge-trend.ts';
import type { Judged } from './result.ts';
import { failureText, formatValue, requirementText } from './words.ts';

/** Judges one reading of a metric by an expression that fits its type. */
export function judgeReading(metric: MetricName, expression: Expression, reading: Reading): Judged {
  switch (reading.type) {
    case 'trend':
      return judgeTrend(expression, reading.samples);
    case 'rate':
      return judgeShare(expression, reading.part, reading.whole);
    case 'counter':
      return judgeCounter(metric, expression, reading);
    case 'gauge':
      return judgeGauge(metric, expression, reading.value);
  }
}

type Counter = Extract<Reading, { type: 'counter' }>;

function judgeCounter(metric: MetricName, expression: Expression, { count, seconds }: Counter): Judged {
  const inBytes = metricOf(metric).unit === 'bytes';
  if (expression.aggregation.of === 'count') return compared(expression, count, inBytes ? 'bytes' : 'count');
  if (seconds <= 0) return { state: 'undetermined', because: 'no time was measured', samples: 0 };
  return compared(expression, count / seconds, inBytes ? 'bytes/s' : '1/s');
}

function judgeGauge(metric: MetricName, expression: Expression, value: number | undefined): Judged {
  if (value === undefined) return { state: 'undetermined', because: 'there are no samples', samples: 0 };
  return metricOf(metric).unit === 'us'
    ? compared(expression, value / 1_000, 'ms')
    : compared(expression, value, 'count');
}

/** Compares an exact number, which has no sampling error. */
function compared(expression: Expression, observed: number, unit: NonNullable<Judged['unit']>): Judged {
  const pass = holds(observed, expression.operator, expression.threshold);
  const because = `${requirementText(expression)} is ${formatValue(observed, unit)}${failureText(pass, expression, unit)}`;
  return { state: pass ? 'pass' : 'fail', because, observed, unit };
}
