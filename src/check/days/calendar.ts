import type { Bounds } from '../evidence/bounds.ts';

export const HOUR_US = 3_600_000_000;
export const DAY_US = 24 * HOUR_US;

/**
 * Where days end, as far as known: day d lies between boundary d − 1 and boundary d, and boundary b lies within [earliest[b],
 * latest[b]], both rising, service µs since run time 0.
 */
export interface Calendar {
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

/** The possible error of the service's clock at an instant: the uncertainty at the run's start, plus drift since. */
interface ClockError {
  readonly startUs: number;
  readonly drift: number;
}

const clockErrorOf = ({ phaseUncertaintyUs, slackUs, drift }: Bounds): ClockError => ({
  // Instants since 1970 are rounded to quarters of a microsecond.
  startUs: phaseUncertaintyUs + slackUs + 2,
  drift,
});

/**
 * @param boundaries instants, service µs since 1970, rising
 * @param spread how much earlier and later than these a boundary may be
 */
export function calendarOf(
  boundaries: readonly number[],
  bounds: Bounds,
  spread: { readonly beforeUs: number; readonly afterUs: number } = { beforeUs: 0, afterUs: 0 },
): Calendar {
  const { startUs, drift } = clockErrorOf(bounds);
  const since = (instant: number) => instant - bounds.originUs;
  // An instant t of the run has an error of up to start + drift·t: it is certainly before b if t + start + drift·t < b.
  return {
    earliest: Float64Array.from(boundaries, (b) => (since(b) - spread.beforeUs - startUs) / (1 + drift)),
    latest: Float64Array.from(boundaries, (b) => (since(b) + spread.afterUs + startUs) / (1 - drift)),
  };
}

/** Midnights at a fixed offset from UTC that may matter for a run. @param lastUs service µs since run time 0 */
export function midnights(bounds: Bounds, lastUs: number, offsetUs: number): number[] {
  const { startUs, drift } = clockErrorOf(bounds);
  const reach = startUs + 2 * DAY_US;
  const first = Math.floor((bounds.originUs - reach + offsetUs) / DAY_US);
  const last = Math.ceil((bounds.originUs + lastUs * (1 + drift) + reach + offsetUs) / DAY_US);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * DAY_US - offsetUs);
}
