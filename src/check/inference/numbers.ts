import { type Bounds, unflushed } from '../evidence/bounds.ts';
import { firstUnexplained } from '../judging/judge-reading.ts';
import type { LimitCase } from '../judging/limit-case.ts';
import type { Judged, Numbers, Range, Reading } from '../reading.ts';
import { greatestThat, leastThat } from './search.ts';

/** With which other numbers a reading explains the history. A verdict uses only the declared ones; these are reported beside it. */

/** The same limit with other numbers, tolerances in proportion. */
export function withNumbers(bounds: Bounds, numbers: { readonly max?: number; readonly windowUs?: number }): Bounds {
  const { max = bounds.max, windowUs = bounds.windowUs } = numbers;
  const longestSlackUs = bounds.slackUs / (1 - bounds.drift);
  const stretched = bounds.windowUs > 0 ? (bounds.longUs - longestSlackUs) / bounds.windowUs : 1;
  const longUs = windowUs * stretched + longestSlackUs;
  const { refusals } = bounds;
  return {
    ...bounds,
    max,
    windowUs,
    shortUs: Math.max(0, windowUs * (1 - bounds.drift) - bounds.slackUs),
    longUs,
    refusals: refusals.provable && !refusals.flushed ? unflushed(refusals.sinceUs, longUs) : refusals,
  };
}

/** A bucket of another capacity that regains tokens at the declared speed, so that filling up takes proportionally longer. */
export const holding = (capacity: number, { max, windowUs }: Bounds) => ({
  max: capacity,
  windowUs: (capacity * windowUs) / max,
});

/** A bucket of the declared capacity that regains another number per declared window. */
export const regaining = (perWindow: number, { max, windowUs }: Bounds) => ({ windowUs: (max * windowUs) / perWindow });

/** How a number changes the bounds, and how far to search. */
interface Scale {
  readonly name: keyof Numbers;
  readonly declared: number;
  readonly most: number;
  readonly isWhole: boolean;
  /** Whether a greater number allows more admissions and explains fewer refusals; otherwise the reverse. */
  readonly isGenerous: boolean;
  readonly bounds: (value: number) => Bounds;
}

/** The longest time after the end of a turn for which the search assumes a slot to be still taken. */
const LONGEST_GRACE_US = 3_600_000_000;

function scalesOf<S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): readonly Scale[] {
  const { max, windowUs } = bounds;
  const most = moreThanSent(slices, bounds);
  const count = { declared: max, most, isWhole: true, isGenerous: true };
  const number: Scale = { ...count, name: 'max', bounds: (value) => withNumbers(bounds, { max: value }) };
  const time = {
    isWhole: false,
    isGenerous: false,
    bounds: (value: number) => withNumbers(bounds, { windowUs: value }),
  };
  switch (reading.numbers) {
    case 'count':
      return [number];
    case 'window':
      return [number, { ...time, name: 'windowUs', declared: windowUs, most: windowUs * 100 }];
    case 'slots':
      return [number, { ...time, name: 'releaseGraceUs', declared: windowUs, most: LONGEST_GRACE_US }];
    case 'bucket':
      return [
        { ...count, name: 'capacity', bounds: (value) => withNumbers(bounds, holding(value, bounds)) },
        {
          ...count,
          name: 'perWindow',
          isWhole: false,
          bounds: (value) => withNumbers(bounds, regaining(value, bounds)),
        },
      ];
  }
}

/** A count that nothing in these buckets can reach. */
const moreThanSent = <S extends Judged>(slices: readonly S[], { max }: Bounds): number =>
  1 + slices.reduce((largest, { part }) => Math.max(largest, part.length), max);

/** Ranges of each number of a reading in which it explains everything while the others are as declared; absent if it never does. */
export function fittingNumbers<S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): Numbers {
  const found = scalesOf(reading, slices, bounds).flatMap((scale) => {
    const range = fit(reading, slices, scale);
    return range ? [[scale.name, range] as const] : [];
  });
  return Object.fromEntries(found);
}

function fit<S extends Judged>(reading: Reading<S>, slices: readonly S[], scale: Scale): Range | undefined {
  const { declared, most, isWhole, isGenerous } = scale;
  // Times are reported in whole microseconds.
  const isTime = !isGenerous;
  const admits = (value: number) =>
    !isOverAdmitted(reading, slices, scale.bounds(value)) && !isTooSoon(reading, slices, scale.bounds(value));
  const refuses = (value: number) => !isRefusedWrongly(reading, slices, scale.bounds(value));
  const least = isWhole ? 1 : Math.min(declared, most) / 100;
  const within = { near: declared, low: least, high: most, isWhole };
  const from = leastThat(isGenerous ? admits : refuses, within);
  const to = greatestThat(isGenerous ? refuses : admits, within);
  if (from === undefined || to === undefined || to < from) return undefined;
  const [first, last] = isWhole ? withoutInconsistent(reading, slices, scale, [from, to]) : [from, to];
  if (first === undefined || last === undefined) return undefined;
  // A range without an end if it holds as far as was searched; counts begin at one.
  const range = {
    ...((isWhole || first > least) && { from: isTime ? Math.ceil(first) : first }),
    ...(last < most && { to: isTime ? Math.floor(last) : last }),
  };
  return Object.keys(range).length > 0 ? range : undefined;
}

/** The lowest number per declared window with which some reading of the limit explains what was admitted. */
export function leastAdmitting<S extends Judged>({ family, asDeclared, bounds }: LimitCase<S>): number {
  const slices = asDeclared.slices();
  const [near, high] = [bounds.max, moreThanSent(slices, bounds)];
  const needed = family.map((reading) => {
    const admits = (max: number) => !isOverAdmitted(reading, slices, withNumbers(bounds, { max }));
    return leastThat(admits, { near, low: 1, high, isWhole: true }) ?? high;
  });
  return Math.min(...needed);
}

/** This many whole numbers are tried from either end, for one that explains both what was admitted and what was refused. */
const MOST_LOOKED_AT = 8;

function withoutInconsistent<S extends Judged>(
  reading: Reading<S>,
  slices: readonly S[],
  { bounds }: Scale,
  [low, high]: readonly [number, number],
): readonly number[] {
  const isConsistent = (max: number) =>
    !slices.some((slice) => reading.inconsistent?.(slice, bounds(max)) !== undefined);
  let [from, to] = [low, high];
  for (let looked = 0; looked < MOST_LOOKED_AT && from <= to && !isConsistent(from); looked++) from += 1;
  for (let looked = 0; looked < MOST_LOOKED_AT && from < to && !isConsistent(to); looked++) to -= 1;
  return from <= to ? [from, to] : [];
}

const isOverAdmitted = <S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean =>
  slices.some((slice) => reading.overAdmission(slice, bounds) !== undefined);

const isTooSoon = <S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean =>
  slices.some((slice) => reading.inconsistentForAnyNumber?.(slice, bounds) !== undefined);

const isRefusedWrongly = <S extends Judged>(reading: Reading<S>, slices: readonly S[], bounds: Bounds): boolean =>
  slices.some((slice) => firstUnexplained(reading, slice, bounds) !== undefined);
