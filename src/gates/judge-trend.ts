import { formatCount, type Micros } from '../base/index.ts';
import type { PercentileBounds, TrendSamples } from '../collect/index.ts';
import {
  type Expression,
  highestCarried,
  printAggregation,
  samplesForLowerBound,
  samplesForUpperBound,
} from '../metrics/index.ts';
import { holds, wantsLow } from './compare-number.ts';
import type { Judged, ObservedBounds } from './result.ts';
import { timeOf } from './time-of.ts';
import { boundsText, failureText, formatValue, requirementText, samplesText } from './words.ts';

const ms = (us: number): number => us / 1_000;

/** Judges times by an expression. @param samples `undefined` if there are none */
export function judgeTrend(expression: Expression, samples: TrendSamples | undefined): Judged {
  if (!samples) return { state: 'undetermined', because: 'there are no samples', samples: 0 };
  const asked = timeOf(expression.aggregation, samples);
  if ('us' in asked) return judgeExact(expression, asked.us, samples);
  return judgePercentile(expression, asked.percent, samples);
}

function judgeExact(expression: Expression, us: number, samples: TrendSamples): Judged {
  const observed = ms(us);
  const pass = holds(observed, expression.operator, expression.threshold);
  return {
    state: pass ? 'pass' : 'fail',
    because: `${requirementText(expression)} is ${formatValue(observed, 'ms')} of ${samplesText(samples.count)}${failureText(pass, expression, 'ms')}`,
    observed,
    unit: 'ms',
    samples: samples.count,
  };
}

/**
 * Judges a percentile if there are enough samples for a confidence bound on its harder side (above for high percentiles, below for
 * low ones), so that samples lie beyond it. If the expression asks for the bound on the easier side, fewer samples suffice.
 */
function judgePercentile(expression: Expression, percent: number, samples: TrendSamples): Judged {
  const { bound, operator } = expression;
  const high = bound ? wantsLow(operator) : percent >= 50;
  const needed = high ? samplesForUpperBound(percent) : samplesForLowerBound(percent);
  const what = printAggregation(expression.aggregation);
  if (samples.count < needed) {
    const carried = highestCarried(samples.count);
    const carries = high ? carried : Number((100 - carried).toFixed(1));
    const because = `too few samples: ${formatCount(samples.count)}, ${requirementText(expression)} needs ${formatCount(needed)}; these support ${high ? 'at most' : 'at least'} p(${carries})`;
    return { state: 'undetermined', because, samples: samples.count, needed, carries };
  }
  const bounds = observedBounds(samples.bounds(percent));
  const estimate = ms(samples.at(percent) ?? (0 as Micros));
  const observed = bound ? (high ? bounds.high : bounds.low) : estimate;
  if (observed === undefined) {
    const because = `latency varies over time, if only by chance: these ${samplesText(samples.count)} may be worth fewer than the ${formatCount(needed)} independent ones that the bound of ${what} needs`;
    return { state: 'undetermined', because, samples: samples.count, bounds };
  }
  const pass = holds(observed, operator, expression.threshold);
  const suffix = bound ? ` (${what} itself is ${formatValue(estimate, 'ms')})` : boundsText(bounds, 'ms');
  return {
    state: pass ? 'pass' : 'fail',
    because: `${requirementText(expression)} is ${formatValue(observed, 'ms')} of ${samplesText(samples.count)}${suffix}${failureText(pass, expression, 'ms')}`,
    observed,
    unit: 'ms',
    samples: samples.count,
    bounds,
  };
}

const observedBounds = ({ lowUs, highUs, method }: PercentileBounds): ObservedBounds => ({
  ...(lowUs !== undefined && { low: ms(lowUs) }),
  ...(highUs !== undefined && { high: ms(highUs) }),
  method,
});
