import type { Reading } from '../collect/index.ts';
import type { MetricGate } from '../metrics/index.ts';
import { holds } from './compare-number.ts';
import { judgeShare } from './judge-share.ts';
import { judgeTrend } from './judge-trend.ts';
import type { Judged } from './result.ts';
import { exactValue, unitOf } from './units.ts';
import { failureText, formatValue, requirementText } from './words.ts';

/** Judges one reading of a gate's metric. */
export function judgeReading(gate: MetricGate, reading: Reading): Judged {
  switch (reading.type) {
    case 'trend':
      return judgeTrend(gate.expression, reading.samples);
    case 'rate':
      return judgeShare(gate.expression, reading);
    case 'counter':
    case 'gauge':
      return judgeExact(gate, reading);
  }
}

/** Compares an exact number, which has no sampling error. */
function judgeExact({ selector, expression }: MetricGate, reading: Parameters<typeof exactValue>[2]): Judged {
  const observed = exactValue(selector.metric, expression.aggregation, reading);
  if (observed === undefined) {
    const because = reading.type === 'counter' ? 'no time was measured' : 'there are no samples';
    return { state: 'undetermined', because, samples: 0 };
  }
  const unit = unitOf(selector.metric, expression.aggregation);
  const pass = holds(observed, expression.operator, expression.threshold);
  const because = `${requirementText(expression)} is ${formatValue(observed, unit)}${failureText(pass, expression, unit)}`;
  return { state: pass ? 'pass' : 'fail', because, observed, unit };
}
