import type { Distribution, Percentile, PercentileBounds, PercentileName } from '../collect/index.ts';
import { formatShortDuration } from './formatters.ts';

/** A percentile with its bounds, µs; `undefined` without samples, or with too few for it. */
export function percentileOf(
  distribution: Distribution | undefined,
  name: PercentileName,
): Extract<Percentile, { us: unknown }> | undefined {
  const percentile = distribution?.percentiles[name];
  return percentile && 'us' in percentile ? percentile : undefined;
}

/** The value: `4.1 ms`; `–` where `percentileOf` gives none. */
export function percentileText(distribution: Distribution | undefined, name: PercentileName): string {
  const percentile = percentileOf(distribution, name);
  return percentile === undefined ? '–' : formatShortDuration(percentile.us);
}

/** `4.1 ms to 9.8 ms`, with `?` for an end that the samples do not bound; `undefined` if they bound neither. */
export function boundsText({ lowUs, highUs }: Pick<PercentileBounds, 'lowUs' | 'highUs'>): string | undefined {
  if (lowUs === undefined && highUs === undefined) return undefined;
  const end = (us: number | undefined) => (us === undefined ? '?' : formatShortDuration(us));
  return `${end(lowUs)} to ${end(highUs)}`;
}
