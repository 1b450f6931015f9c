import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { type Bounds, neededIn } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Slice } from '../evidence/slice.ts';
import { neverBlocked, noneWasFirst } from './blocked.ts';
import { countedOf } from './counted.ts';
import { fewBefore, mostWithin, unexplainedByLastWindow } from './last-window.ts';

/**
 * Where a refusal may lead to later ones, because it counts or blocks, the first of them had another cause: enough that was not
 * refused. So refusals of one burst do not explain one another, however many there are.
 */

/**
 * Refusals, rising, before which fewer than N can have counted, refused ones aside, and which cannot have followed one with such a
 * cause through a sequence of refusals.
 * @param windows how many windows back a limiter looks, and a refusal may still lead to another one
 */
export const neverFirst = (slice: Slice, bounds: Bounds, windows: 1 | 2): readonly number[] =>
  windows === 1 ? neverFirstInOne(slice, bounds) : neverFirstInTwo(slice, bounds);

const neverFirstInOne = rememberedFor((slice: Slice, bounds: Bounds) => withoutCause(slice, bounds, 1));
const neverFirstInTwo = rememberedFor((slice: Slice, bounds: Bounds) => withoutCause(slice, bounds, 2));

function withoutCause(slice: Slice, bounds: Bounds, windows: 1 | 2): readonly number[] {
  if (unexplainedByLastWindow(slice, bounds).length === 0) return [];
  const counted = countedOf(slice, false);
  const lookBackUs = windows * bounds.longUs;
  const needed = neededIn(windows, bounds);
  const hasCause = (i: number) => mostWithin(slice, counted, i, lookBackUs, needed) >= needed;
  return neverBlocked(slice, bounds, hasCause, (from) => from - lookBackUs);
}

/** A proof lists everything that may have counted before any refusal that may have led to one, so that it grows with their number. */
const MOST_PROVEN = 200;

/** Those of them before which few others without a cause began: enough to rule a reading out. */
export function neverFirstOfFew(slice: Slice, bounds: Bounds, windows: 1 | 2): readonly number[] {
  const tooLate = unexplainedByLastWindow(slice, bounds)[MOST_PROVEN];
  const positions = neverFirst(slice, bounds, windows);
  if (tooLate === undefined) return positions;
  const limit = slice.from[tooLate] as number;
  return positions.filter((position) => (slice.to[position] as number) < limit);
}

/** The proof for one of these. */
export function firstRefusal(
  slice: Slice,
  bounds: Bounds,
  refusal: number,
  { rule, windows }: { readonly rule: WrongfulRefusalDraft['rule']; readonly windows: 1 | 2 },
): WrongfulRefusalDraft {
  const lookBackUs = windows * bounds.longUs;
  const alone = { rule, lookBackUs, needed: neededIn(windows, bounds), refusedToo: false };
  const fewOf = (position: number) => fewBefore(slice, position, alone);
  return noneWasFirst(slice, bounds, refusal, fewOf, (from) => from - lookBackUs);
}
