import type { Bounds } from '../bounds.ts';
import type { Judged, Reading } from '../reading.ts';
import { Part } from '../slice.ts';

/** More attempts than these, and other numbers are not sought: each costs a judgement. */
const MOST_ATTEMPTS = 20_000;

/** The numbers from and to which a reading explains what was seen; `to` is absent where nothing bounds it. */
export interface Range {
  readonly from: number;
  readonly to?: number;
}

/** The same limit with other numbers, tolerances in proportion. */
export function withNumbers(bounds: Bounds, numbers: { readonly max?: number; readonly windowUs?: number }): Bounds {
  const { max = bounds.max, windowUs = bounds.windowUs } = numbers;
  const stretched = (bounds.longUs - bounds.slackUs) / bounds.windowUs;
  return {
    ...bounds,
    max,
    windowUs,
    shortUs: Math.max(0, windowUs * (1 - bounds.drift) - bounds.slackUs),
    longUs: windowUs * stretched + bounds.slackUs,
  };
}

/** For which N per declared W the reading explains everything; `undefined` when for none. */
export function fittingMax<S extends Judged>(
  reading: Reading<S>,
  slices: readonly S[],
  bounds: Bounds,
): Range | undefined {
  const sizes = slices.map(({ part }) => part.length);
  if (sizes.reduce((sum, size) => sum + size, 0) > MOST_ATTEMPTS) return undefined;
  const most = 1 + Math.max(1, ...sizes);
  const overAdmits = (max: number) => isOverAdmitted(reading, slices, withNumbers(bounds, { max }));
  const refuses = (max: number) => isRefusedWrongly(reading, slices, withNumbers(bounds, { max }));
  // Both are monotone: a higher limit admits more and explains fewer refusals.
  const from = firstThat((max) => !overAdmits(max), 1, most);
  const beyond = firstThat(refuses, 1, most);
  if (from === undefined) return undefined;
  const to = beyond === undefined ? undefined : beyond - 1;
  if (to !== undefined && to < from) return undefined;
  const explains = [from, ...(to === undefined ? [] : [to])].some((max) =>
    isConsistent(reading, slices, withNumbers(bounds, { max })),
  );
  return explains ? { from, ...(to !== undefined && { to }) } : undefined;
}

/** The first whole number from `low` to `high` that passes a test which all after it pass, too. */
function firstThat(passes: (value: number) => boolean, low: number, high: number): number | undefined {
  if (!passes(high)) return undefined;
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (passes(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

const isOverAdmitted = <S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean =>
  slices.some((slice) => reading.overAdmission(slice, bounds) !== undefined);

function isRefusedWrongly<S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean {
  for (const slice of slices)
    for (const position of reading.unexplained(slice, bounds)) if (slice.part[position] === Part.refused) return true;
  return false;
}

const isConsistent = <S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean =>
  !slices.some((slice) => reading.inconsistent?.(slice, bounds) !== undefined);
