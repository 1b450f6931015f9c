import { formatCount } from '../base/index.ts';
import type { Reading } from '../collect/index.ts';
import { CONFIDENCE, type Expression, shareBounds } from '../metrics/index.ts';
import { holds, wantsLow } from './compare-number.ts';
import type { Judged, ObservedBounds } from './result.ts';
import { boundsText, failureText, formatValue, observedText, requirementText } from './words.ts';

type Share = Extract<Reading, { readonly type: 'rate' }>;

/** Judges a share by an expression. */
export function judgeShare(expression: Expression, share: Share): Judged {
  const { part, whole } = share;
  if (whole === 0) return { state: 'undetermined', because: 'there are no samples', samples: 0 };
  const bounds = boundsOf(share);
  const { low, high } = bounds;
  const estimate = part / whole;
  const observed = expression.bound ? (wantsLow(expression.operator) ? high : low) : estimate;
  const pass = holds(observed, expression.operator, expression.threshold);
  const needed = pass || !expression.bound ? undefined : samplesNeeded(expression, part, whole);
  if (needed !== undefined) {
    const because = `too few samples: ${formatCount(whole)}; even with ${wantsLow(expression.operator) ? 'none' : 'all'} of them, a bound of ${formatValue(expression.threshold, 'share')} needs ${formatCount(needed)}`;
    return { state: 'undetermined', because, observed, unit: 'share', samples: whole, needed, bounds };
  }
  const suffix = expression.bound ? '' : boundsText(bounds, 'share');
  return {
    state: pass ? 'pass' : 'fail',
    because: `${requirementText(expression)} is ${observedText(observed, 'share', expression.threshold)}: ${formatCount(part)} of ${formatCount(whole)}${suffix}${failureText(pass, expression, 'share')}`,
    observed,
    unit: 'share',
    samples: whole,
    bounds,
  };
}

/** Failures that come together are worth fewer independent samples (batch means; Korn and Graubard 1998). */
function boundsOf({ part, whole, over }: Share): ObservedBounds & { readonly low: number; readonly high: number } {
  const worth = over?.worth(0, 1 - part / whole) ?? whole;
  const { lower: low, upper: high } = shareBounds((part * worth) / whole, worth);
  return { low, high, method: worth < whole ? 'batch-means' : 'clopper-pearson' };
}

/**
 * The number of samples from which a bound can pass; `undefined` if there are as many, or if the share itself fails, because
 * then more samples would not help.
 */
function samplesNeeded({ operator, threshold }: Expression, part: number, whole: number): number | undefined {
  if (!holds(part / whole, operator, threshold)) return undefined;
  const allowed = wantsLow(operator) ? threshold : 1 - threshold;
  // For 0 of n the upper bound is 1 − 0.05^(1 / n), which must be below the allowed share.
  const needed = Math.floor(Math.log(1 - CONFIDENCE) / Math.log1p(-allowed)) + 1;
  return whole < needed ? needed : undefined;
}
