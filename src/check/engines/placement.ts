import type { ArcDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import { admittedOf } from './admitted.ts';
import { crowdFrom, crowds } from './crowd.ts';
import { crowdedArc } from './crowded-arcs.ts';

/** A window must begin within [from, to]. `index`: the first of the N + 1 admitted attempts that show it. */
interface Demand {
  readonly from: number;
  readonly to: number;
  readonly index: number;
}

/**
 * Demands that windows at least `shortUs` apart cannot meet, for windows that begin with any request; reduced to those that the
 * contradiction needs. `undefined` if all can be met.
 */
export function placementConflict(slice: Slice, bounds: Bounds): readonly ArcDraft[] | undefined {
  const admitted = admittedOf(slice);
  const size = bounds.max + 1;
  const demands: Demand[] = [];
  crowds(admitted, size, bounds.shortUs, (index, to) => {
    demands.push({ from: admitted.from[index] as number, to, index });
    return false;
  });
  demands.sort((a, b) => a.to - b.to);
  const failed = firstUnmet(demands, bounds.shortUs);
  if (failed < 0) return undefined;
  const kept = fewest(demands.slice(0, failed + 1), bounds.shortUs);
  return kept.map(({ to, index }) => crowdedArc(admitted, crowdFrom(admitted, index, to, size)));
}

/** Disjoint intervals in rising order. */
type Intervals = readonly (readonly [number, number])[];

/**
 * Index of the first demand that cannot be met together with those before it; −1 if all can. Keeps the possible positions of the
 * last beginning: demands are shorter than a window, so a beginning before the last one meets no later demand.
 * @param demands in rising order of their ends
 */
function firstUnmet(demands: readonly Demand[], shortUs: number): number {
  let last: Intervals = [];
  for (let i = 0; i < demands.length; i++) {
    const { from, to } = demands[i] as Demand;
    const begins = Math.max(from, (last[0]?.[0] ?? Number.NEGATIVE_INFINITY) + shortUs);
    last = withEnd(since(last, from), begins, to);
    if (last.length === 0) return i;
  }
  return -1;
}

/** What of the intervals is not before `from`. */
const since = (intervals: Intervals, from: number): Intervals =>
  intervals.filter(([, end]) => end >= from).map(([begin, end]) => [Math.max(begin, from), end]);

/** Adds an interval that ends last, if it is one, and joins those that it touches, so that their number does not grow. */
function withEnd(intervals: Intervals, from: number, to: number): Intervals {
  if (from > to) return intervals;
  const apart = intervals.filter(([, end]) => end < from);
  return [...apart, [Math.min(from, intervals[apart.length]?.[0] ?? from), to]];
}

/** The shortest run of demands at the end that fails by itself, reduced to what it needs. */
function fewest(failing: readonly Demand[], shortUs: number): readonly Demand[] {
  const fails = (demands: readonly Demand[]) => firstUnmet(demands, shortUs) >= 0;
  let length = 2;
  while (length < failing.length && !fails(failing.slice(-length))) length *= 2;
  let kept = failing.slice(-length);
  for (const demand of kept) {
    const fewer = kept.filter((one) => one !== demand);
    if (fails(fewer)) kept = fewer;
  }
  return kept;
}
