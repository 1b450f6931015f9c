import { formatCount } from '../base/index.ts';
import type { Reading } from '../collect/index.ts';
import type { Expression, MetricGate } from '../metrics/index.ts';
import { holds, wantsLow } from './compare-number.ts';
import { judgeShare } from './judge-share.ts';
import { judgeTrend } from './judge-trend.ts';
import type { Judged } from './result.ts';
import { exactValue, unitOf } from './units.ts';
import { failureText, formatValue, requirementText } from './words.ts';

/** Judges one reading of a gate's metric. */
export function judgeReading(gate: MetricGate, reading: Reading): Judged {
  switch (reading.type) {
    case 'trend':
      return judgeTimes(gate.expression, reading);
    case 'rate':
      return judgeShare(gate.expression, reading);
    case 'counter':
    case 'gauge':
      return judgeExact(gate, reading);
  }
}

/** What the generator itself may have added to times decides nothing. */
function judgeTimes(
  expression: Expression,
  { samples, earliest }: Extract<Reading, { readonly type: 'trend' }>,
): Judged {
  const judged = judgeTrend(expression, samples);
  if (!earliest || judged.state === 'undetermined') return judged;
  const { state } = judgeTrend(expression, earliest.samples);
  if (state === judged.state) return judged;
  // What passes with the longest possible times is sure; what fails only with them is not.
  if (state === 'undetermined' && (judged.state === 'pass') === wantsLow(expression.operator)) return judged;
  const without = state === 'undetermined' ? 'they would decide nothing' : `the gate would ${state}`;
  const delayed = `the generator stood still and may have delayed ${formatCount(earliest.late)} of these by itself; without that ${without}`;
  return { ...judged, state: 'undetermined', because: `${judged.because}; but ${delayed}` };
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
