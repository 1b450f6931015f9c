import { formatCount, formatDuration } from '../base/index.ts';
import type { FullestWindow, OpenTurns } from '../collect/index.ts';

export { formatCount, formatShare, plural } from '../base/index.ts';

/**
 * Formats a duration for a narrow column, with at most 7 characters below 100 hours: like `formatDuration`, but `12 µs`, `12m 5s`
 * and `2h 3m`.
 */
export function formatShortDuration(us: number): string {
  if (us > 0 && us < 100) return `${Math.round(us)} µs`;
  if (us < 99_950_000) return formatDuration(us);
  const seconds = Math.round(us / 1_000_000);
  const minutes = Math.round(seconds / 60);
  const parts =
    seconds < 3_600
      ? [`${Math.floor(seconds / 60)}m`, `${seconds % 60}s`]
      : [`${Math.floor(minutes / 60)}h`, `${minutes % 60}m`];
  return parts.filter((part) => !/^0/.test(part)).join(' ');
}

/**
 * Formats a count for a narrow column, rounded down, with at most 4 characters below 10^9: `9999`, `12k`, `1.2M`. There is no room for
 * a separator.
 */
export function formatShortCount(count: number): string {
  if (count < 10_000) return String(count);
  if (count < 1_000_000) return `${Math.floor(count / 1_000)}k`;
  return count < 10_000_000 ? `${(Math.floor(count / 100_000) / 10).toFixed(1)}M` : `${Math.floor(count / 1_000_000)}M`;
}

/** Formats a rate given in events per second: `12.5/s`; below one per second `20/min`. */
export function formatRate(perSecond: number): string {
  const [value, unit] = perSecond > 0 && perSecond < 1 ? [perSecond * 60, 'min'] : [perSecond, 's'];
  return `${value >= 100 ? formatCount(value) : Number(value.toPrecision(3))}/${unit}`;
}

/**
 * The reference of an exchange in proofs: `14`; in a run of several workers `2:14`, because each worker has its own
 * numbers.
 */
export const exchangeName = ({ seq, worker = 0 }: { readonly seq: number; readonly worker?: number }): string =>
  worker === 0 ? String(seq) : `${worker}:${seq}`;

/** `2`; or `0 to 2` if polls leave it open. */
export const openTurnsText = ({ maxCertain, maxPossible }: Pick<OpenTurns, 'maxCertain' | 'maxPossible'>): string =>
  fromTo(maxCertain, maxPossible);

/** `20`; or `20 to 23` if three were answered with 5xx. */
export const admittedText = ({
  admitted,
  perhapsAdmitted,
}: Pick<FullestWindow, 'admitted' | 'perhapsAdmitted'>): string => fromTo(admitted, admitted + perhapsAdmitted);

/** `20`, `20 to 23`. */
export const fromTo = (least: number, most: number): string =>
  least === most ? formatCount(least) : `${formatCount(least)} to ${formatCount(most)}`;

/** `10 times as fast`. @param clockRate service seconds per run second */
export const speedText = (clockRate: number): string => `${Number(clockRate.toPrecision(3))} times as fast`;

/** With an upper-case first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The first items, and how many more there are: `a, b, 3 more`. @param most how many are shown */
export function few<T>(items: readonly T[], show: (item: T) => string, most: number): string {
  const more = items.length - most;
  return [...items.slice(0, most).map(show), ...(more > 0 ? [`${formatCount(more)} more`] : [])].join(', ');
}

/** Said where no violation fails the run. @param accepted violations that are proven and that the profile accepts */
export const nothingProven = (accepted: readonly unknown[]): string =>
  accepted.length === 0
    ? 'nothing is proven against the service'
    : 'nothing is proven against the service beyond what its profile accepts';
