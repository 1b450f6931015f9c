import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { type Bounds, backUs } from '../evidence/bounds.ts';
import { floatsWhere } from '../evidence/columns.ts';
import { isRefusal, Part, type Slice } from '../evidence/slice.ts';
import { risen } from '../rising.ts';
import { admittedOf } from './admitted.ts';
import { countBelow, countUpTo } from './counted.ts';
import { countedSinceAny, type Few, proofOfFew } from './last-window.ts';

/**
 * A refusal may block for a window and so cause the next one; in some implementations each refusal blocks anew. Overlapping
 * refusals cannot explain one another in a circle: one was decided first, and that one had another cause.
 */

/**
 * For a request sent at `from`: the earliest instant at which a refusal must have been decided so that it still blocks. An
 * admission in between ends every block before it; this holds for one bucket, not for a wider slice, in which the admission may
 * be another bucket's.
 */
type BlockingSince = (from: number) => number;

export const withinWindow =
  ({ longUs }: Bounds): BlockingSince =>
  (from) =>
    from - longUs;

/** For exactly one bucket. If its clock may go back, a block that was over at an admission may refuse again soon after it. */
export function sinceLastAdmission(slice: Slice, bounds: Bounds): BlockingSince {
  const { from: begun, to: ended } = admittedOf(slice);
  const order = [...ended.keys()].sort((a, b) => (ended[a] as number) - (ended[b] as number));
  const ends = Float64Array.from(order, (i) => ended[i] as number);
  // By end: the latest begin of the admissions that had ended.
  let latest = Number.NEGATIVE_INFINITY;
  const begins = Float64Array.from(order, (i) => {
    latest = Math.max(latest, begun[i] as number);
    return latest;
  });
  const back = backUs(bounds);
  return (from) =>
    Math.max(from - bounds.longUs, begins[countBelow(ends, from - back) - 1] ?? Number.NEGATIVE_INFINITY);
}

/**
 * Judged refusals, rising, that have no cause of their own and cannot have followed a refusal that has one through a sequence of
 * refusals, each within W of the one before. Anything but an admission may have been a refusal; so may requests before the judged
 * ones, with a cause before the run.
 * @param hasCause whether an attempt may have been refused because of what counted
 */
export function neverBlocked(
  slice: Slice,
  bounds: Bounds,
  hasCause: (position: number) => boolean,
  blockingSince: BlockingSince = withinWindow(bounds),
): readonly number[] {
  const { refusals } = bounds;
  if (!refusals.provable) return [];
  // Until when one of the refusals so far may have been decided.
  let reach = Number.NEGATIVE_INFINITY;
  const never: number[] = [];
  // Attempts under way that were not blocked when they began: a refusal that is decided meanwhile may still block them.
  let waiting: number[] = [];
  for (let i = 0; i < slice.size; i++) {
    if (slice.part[i] === Part.admitted) continue;
    const from = slice.from[i] as number;
    const isCause = from < refusals.fromUs || hasCause(i);
    if (!isCause && reach < blockingSince(from)) {
      waiting.push(i);
      continue;
    }
    reach = Math.max(reach, slice.to[i] as number);
    if (!isCause) continue;
    for (const other of waiting) {
      if ((slice.to[other] as number) >= from) reach = Math.max(reach, slice.to[other] as number);
      else if (isRefusal(slice.part[other])) never.push(other);
    }
    waiting = [];
  }
  return [...never, ...waiting.filter((i) => isRefusal(slice.part[i]))];
}

/** For a position: whether nothing else may have been refused within a window before it; anything but an admission may have been. */
export function unblockedIn(slice: Slice, { longUs }: Bounds): (position: number) => boolean {
  const isOther = (i: number) => slice.part[i] !== Part.admitted;
  const starts = floatsWhere(slice.from, isOther);
  const ends = risen(floatsWhere(slice.to, isOther));
  return (position) => {
    const begun = countUpTo(starts, slice.to[position] as number);
    const over = countBelow(ends, (slice.from[position] as number) - longUs);
    return begun - over <= 1;
  };
}

/**
 * The refusal and everything that may have blocked it, directly or through others, sorted by the latest decision: positions,
 * rising. None of these can have been the first.
 */
export function mayHaveBlocked(slice: Slice, refusal: number, blockingSince: BlockingSince): readonly number[] {
  const until = slice.to[refusal] as number;
  const others: number[] = [];
  for (let i = 0; i < slice.size && (slice.from[i] as number) <= until; i++)
    if (i !== refusal && slice.part[i] !== Part.admitted) others.push(i);
  others.sort((a, b) => (slice.to[b] as number) - (slice.to[a] as number));
  const chain = [refusal];
  let since = blockingSince(slice.from[refusal] as number);
  for (const other of others) {
    if ((slice.to[other] as number) < since) break;
    since = Math.min(since, blockingSince(slice.from[other] as number));
    chain.push(other);
  }
  return chain.sort((a, b) => a - b);
}

/**
 * One proof for a refusal and all that may have blocked it: none of them had a cause. O(n log n), although the refusals of a burst
 * may be thousands, each with thousands that may have counted.
 * @param fewOf proof that fewer than needed can have counted before one of these
 */
export function noneWasFirst(
  slice: Slice,
  bounds: Bounds,
  refusal: number,
  fewOf: (position: number) => Few,
  blockingSince: BlockingSince = withinWindow(bounds),
): WrongfulRefusalDraft {
  const all = mayHaveBlocked(slice, refusal, blockingSince).map(fewOf);
  const listed = new Set(all.map((few) => few.refusal));
  for (const position of countedSinceAny(slice, all)) listed.add(position);
  listed.delete(refusal);
  return {
    ...proofOfFew(slice, fewOf(refusal)),
    lookBackUs: all.reduce((least, few) => Math.min(least, few.lookBackUs), Number.POSITIVE_INFINITY),
    observed: all.reduce((most, few) => Math.max(most, few.observed), 0),
    positions: [...listed].sort((a, b) => a - b),
  };
}
