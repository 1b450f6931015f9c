import { formatCount, formatShare } from '../../base/index.ts';
import { suffixes, type Unit } from '../units.ts';
import type { Difference, MetricComparison } from './result.ts';

/** Three significant digits, but integers from 1,000 on, so that 1,005 and 1,001 are not printed as 1010 and 1000. */
const three = (value: number): string =>
  Math.abs(value) >= 999.5 ? formatCount(value) : String(Number(value.toPrecision(3)));

/** `50.2 ms`, `1.5 %`, `12`, `512 bytes`, `42.9 a second`. */
export function valueText(value: number, unit: Unit): string {
  if (unit === 'share') return formatShare(value, 1);
  return `${three(value)}${suffixes[unit]}`;
}

/** Percentage points of a share: `1 point`, `-0.5 points`. */
export function pointsText(share: number): string {
  const points = three(100 * share);
  return `${points} ${/^-?1$/.test(points) ? 'point' : 'points'}`;
}

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text);

type Estimated = Pick<MetricComparison, 'unit' | 'base' | 'candidate' | 'difference'>;

/**
 * The estimated difference, to be shown beside both medians: `+9.8 % (+4.9 ms)`. Where they contradict it, which scattered rounds can
 * cause, it says what it is: `-0.5 % round against round`. Absent without rounds.
 */
export function estimateText(one: Estimated): string | undefined {
  if (one.difference === undefined) return undefined;
  return `${differenceText(one.difference, one.unit)}${isOpposed(one) ? ' round against round' : ''}`;
}

/** Whether the medians differ in another direction than the estimate, or not at all while it does. */
export const isOpposed = ({ base = 0, candidate = 0, difference }: Estimated): boolean =>
  difference !== undefined && Math.sign(difference.relative ?? difference.absolute) !== Math.sign(candidate - base);

/**
 * `+9.8 % (+4.9 ms)`, `-0.5 points`. If the separately estimated ratio and difference have opposite signs, only the ratio, which
 * is what is tested.
 */
export function differenceText({ absolute, relative }: Difference, unit: Unit): string {
  if (unit === 'share') return signed(absolute, pointsText(absolute));
  const plain = signed(absolute, valueText(absolute, unit));
  if (relative === undefined) return plain;
  const ratio = signed(relative, `${three(100 * relative)} %`);
  return relative * absolute < 0 ? ratio : `${ratio} (${plain})`;
}
