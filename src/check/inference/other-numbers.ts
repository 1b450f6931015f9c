import type { Bounds } from '../evidence/bounds.ts';
import type { LimitCase } from '../judging/limit-case.ts';
import type { Judged, Numbers, Reading } from '../reading.ts';
import type { Possible } from './inference.ts';
import { fittingNumbers, holding, regaining, withNumbers } from './numbers.ts';
import { canBeFitted } from './outcome.ts';
import { whoseOf } from './words.ts';

/** The readings that explain everything with a single changed number. */
export function withOtherNumbers<S extends Judged>(readings: readonly Reading<S>[], about: LimitCase<S>): Possible[] {
  const { asDeclared: how, bounds } = about;
  if (!canBeFitted(about)) return [];
  return readings.flatMap((reading) => {
    const parameters = fittingNumbers(reading, how.slices(), bounds);
    const other = boundsWith(parameters, bounds);
    if (!other) return [];
    const { scope, counts } = how;
    return [{ reading: reading.name, scope, counts, says: reading.describe(other, whoseOf(scope)), parameters }];
  });
}

/** By the first number that fits: a count, otherwise a speed or a duration. */
function boundsWith(
  { max, capacity, perWindow, windowUs, releaseGraceUs }: Numbers,
  bounds: Bounds,
): Bounds | undefined {
  if (max?.from !== undefined) return withNumbers(bounds, { max: max.from });
  if (capacity?.from !== undefined) return withNumbers(bounds, holding(capacity.from, bounds));
  if (perWindow?.from !== undefined) return withNumbers(bounds, regaining(perWindow.from, bounds));
  const lasts = windowUs?.from === undefined ? releaseGraceUs?.from : toThreeDigits(windowUs.from, windowUs.to);
  return lasts === undefined ? undefined : withNumbers(bounds, { windowUs: lasts });
}

/** Up, as the search is no more exact than a thousandth; within the range that fits. */
function toThreeDigits(value: number, most = Number.POSITIVE_INFINITY): number {
  const digit = 10 ** (Math.floor(Math.log10(Math.max(1, value))) - 2);
  const rounded = Math.ceil(value / digit) * digit;
  return rounded <= most ? rounded : value;
}
