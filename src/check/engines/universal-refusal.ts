import type { Bounds } from '../bounds.ts';
import type { WrongfulRefusalDraft } from '../draft.ts';
import type { Slice } from '../slice.ts';
import { neverBlocked, noneWasFirst } from './blocked.ts';
import { countedOf } from './counted.ts';
import { mostWithin, refusalAfter } from './last-window.ts';

/**
 * Fewer than this, refused ones among them, in two windows, and every reading admits: N of a log or a window; N − 1 of a sliding
 * counter, whose variants differ by one; N − 2 of a bucket that owes a token and whose clock ticks coarsely (limits.md 1.3).
 */
export const neededByAny = ({ max }: Pick<Bounds, 'max'>): number => Math.max(1, max - 2);

/**
 * Refusals that no reading explains, by one count that holds for all of them; where a refusal may block, nor any that may have blocked
 * them. Some that each reading fails to explain are not among them.
 */
export function refusedByNone(slice: Slice, bounds: Bounds): readonly number[] {
  const counted = countedOf(slice, true);
  const needed = neededByAny(bounds);
  const mayBeRefused = (position: number) => mostWithin(slice, counted, position, 2 * bounds.longUs, needed) >= needed;
  return neverBlocked(slice, bounds, mayBeRefused);
}

export const universalRefusal = (slice: Slice, bounds: Bounds, position: number): WrongfulRefusalDraft =>
  noneWasFirst(slice, bounds, position, (one) => refusalOfTwoWindows(slice, bounds, one));

const refusalOfTwoWindows = (slice: Slice, bounds: Bounds, position: number): WrongfulRefusalDraft =>
  refusalAfter(slice, position, {
    rule: 'universal-refusal',
    lookBackUs: 2 * bounds.longUs,
    needed: neededByAny(bounds),
    refusedToo: true,
  });
