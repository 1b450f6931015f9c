import { formatShare, plural } from '../base/index.ts';
import { type Expression, printAggregation } from '../metrics/index.ts';
import type { ObservedBounds } from './result.ts';
import { suffixes, type Unit } from './units.ts';

/** Six significant digits, and all digits before the point, so that a value close to its threshold does not look equal to it. */
const sixDigits = new Intl.NumberFormat('en-US', {
  maximumSignificantDigits: 6,
  maximumFractionDigits: 0,
  roundingPriority: 'morePrecision',
});
const digits = (value: number): string => sixDigits.format(value);

/** What was observed. A share has the digits that its samples carry, or as many as tell it from its threshold. */
export function observedText(value: number, unit: Unit, threshold = value): string {
  if (unit !== 'share') return formatValue(value, unit);
  const short = formatShare(value, 1);
  return value !== threshold && short === formatShare(threshold, 1) ? formatValue(value, unit) : short;
}

/** A number with its unit: `281.4 ms`, `2.5 %`, `12 a second`, `4,096 bytes a second`. */
export function formatValue(value: number, unit: Unit): string {
  const shown = digits(unit === 'share' ? value * 100 : value);
  return `${shown}${shown === '1' ? suffixes[unit].replace('bytes', 'byte') : suffixes[unit]}`;
}

/** `p(95)`, `the bound of p(95)`. */
export const requirementText = ({ aggregation, bound }: Expression): string =>
  `${bound ? 'the bound of ' : ''}${printAggregation(aggregation)}`;

/** `, not < 300 ms` for a failure; empty for a pass. */
export const failureText = (pass: boolean, { operator, threshold }: Expression, unit: Unit): string =>
  pass ? '' : `, not ${operator} ${formatValue(threshold, unit)}`;

/** ` (95 % bounds: 250 ms to 310 ms)`; says so if an end is missing. */
export function boundsText({ low, high, method }: ObservedBounds, unit: Unit): string {
  if (low === undefined && high === undefined)
    return method === 'batch-means' ? ' (varies too much over time for any bound)' : ' (too few for any bound)';
  if (high === undefined) return ` (with 95 % confidence at least ${observedText(low ?? 0, unit)}, no bound above)`;
  if (low === undefined) return ` (with 95 % confidence at most ${observedText(high, unit)}, no bound below)`;
  return ` (95 % bounds: ${observedText(low, unit)} to ${observedText(high, unit)})`;
}

/** `1 sample`, `61 samples`. */
export const samplesText = (count: number): string => plural(count, 'sample');
