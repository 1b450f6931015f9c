import type { Micros } from '../../base/index.ts';
import type { Decision } from './limiter.ts';

/** `max` units per `windowUs`. Both are whole, 1 ≤ max ≤ windowUs, so the steady rate is at most one unit per microsecond. */
export interface Quota {
  readonly max: number;
  readonly windowUs: Micros;
}

/** Windows aligned to the clock: [phase + k·W, phase + (k+1)·W) for every whole k, since 1970. */
export interface AlignedQuota extends Quota {
  /** ≥ 0. Default 0: windows start with the minutes, hours and UTC days of the clock. */
  readonly phaseUs?: Micros;
}

/** The decision of a counter with `left` units before this one. @param resetAtUs when units come back @param retryAtUs default then */
export const counted = (left: number, resetAtUs: Micros, retryAtUs: Micros = resetAtUs): Decision =>
  left > 0 ? { admitted: true, remaining: left - 1, resetAtUs } : { admitted: false, retryAtUs };

export const plus = (at: Micros, us: number): Micros => (at + us) as Micros;

/** The remainder of a/b, from 0 to below b, also of a negative a. Exact where a quotient of large numbers would be rounded. */
export const modulo = (a: number, b: number): number => ((a % b) + b) % b;

/** Start of the window that contains `now`. In the first window of 1970 it lies before that if there is a phase. */
export const startOfWindow = (now: Micros, { windowUs, phaseUs = 0 as Micros }: AlignedQuota): Micros =>
  plus(now, -modulo(now - phaseUs, windowUs));

/** The whole part of a/b for whole a ≥ 0 and b > 0. */
export const wholePart = (a: number, b: number): number => (a - (a % b)) / b;
/** a/b rounded up, for whole a ≥ 0 and b > 0. */
export const roundedUp = (a: number, b: number): number => wholePart(a, b) + (a % b === 0 ? 0 : 1);

/**
 * The time between two units at the steady rate, W/N microseconds, as a reduced fraction `tick / perMicro`. Buckets count in parts
 * of 1/perMicro µs, so all numbers are integers and nothing drifts.
 */
export function spacingOf({ max, windowUs }: Quota): { readonly tick: number; readonly perMicro: number } {
  const divisor = greatestCommonDivisor(max, windowUs);
  return { tick: windowUs / divisor, perMicro: max / divisor };
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
