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

/** `4.1 ms to 9.8 ms`, `4.1 ms or more`, `9.8 ms or less`; `undefined` if the samples bound neither end. */
export function boundsText({ lowUs, highUs }: Pick<PercentileBounds, 'lowUs' | 'highUs'>): string | undefined {
  if (lowUs === undefined) return highUs === undefined ? undefined : `${formatShortDuration(highUs)} or less`;
  const low = formatShortDuration(lowUs);
  return highUs === undefined ? `${low} or more` : `${low} to ${formatShortDuration(highUs)}`;
}
