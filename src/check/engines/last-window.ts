import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { isRefusal, Part, type Slice } from '../evidence/slice.ts';
import { type Counted, countedOf, countsItself, mostAtOnce } from './counted.ts';

/**
 * The most that may have counted within `lookBackUs` before any one instant at which refusal `position` may have been decided,
 * without the refusal itself.
 * @param enough see `mostAtOnce`
 */
export function mostWithin(
  slice: Slice,
  counted: Counted,
  position: number,
  lookBackUs: number,
  enough?: number,
): number {
  // Its own start is at `from`, so it is counted at every instant examined.
  const itself = countsItself(slice, position, counted) ? 1 : 0;
  const when = { from: slice.from[position] as number, to: slice.to[position] as number, lookBackUs };
  return mostAtOnce(counted, when, enough === undefined ? enough : enough + itself) - itself;
}

/** Positions of the refusals that can be judged, rising. */
export function judgedRefusals(slice: Slice, { refusals }: Bounds): Uint32Array {
  if (!refusals.provable) return new Uint32Array(0);
  const all = refusalsIn(slice);
  let first = 0;
  while (first < all.length && (slice.from[all[first] as number] as number) < refusals.fromUs) first += 1;
  return first === 0 ? all : all.subarray(first);
}

const refusalsIn = rememberedFor(({ part, size }: Slice): Uint32Array => {
  let count = 0;
  for (let i = 0; i < size; i++) if (isRefusal(part[i])) count += 1;
  const positions = new Uint32Array(count);
  for (let i = 0, at = 0; at < count; i++) if (isRefusal(part[i])) positions[at++] = i;
  return positions;
});

/**
 * Refusals before which fewer than N can have counted within the last W: no limiter with a memory of W refuses them. Most refusals
 * are explained at their beginning, without a search: the number that had begun by then follows from the previous refusal.
 */
export const unexplainedByLastWindow = rememberedFor((slice: Slice, bounds: Bounds): readonly number[] => {
  const { max, longUs } = bounds;
  const counted = countedOf(slice, false);
  const { starts, ends } = counted;
  const positions: number[] = [];
  let begun = 0;
  for (const position of judgedRefusals(slice, bounds)) {
    const from = slice.from[position] as number;
    while (begun < starts.length && (starts[begun] as number) <= from) begun += 1;
    const itself = countsItself(slice, position, counted) ? 1 : 0;
    // Of those that began, `max` and the refusal itself ended within the look-back or later, unless more than the others ended
    // before it.
    const others = begun - itself - max;
    if (others >= 0 && (ends[others] as number) >= from - longUs) continue;
    if (mostWithin(slice, counted, position, longUs, max) < max) positions.push(position);
  }
  return positions;
});

/** Everything that may have counted between an instant and the decision on a refusal, whenever that was; without the refusal itself. */
export function countedSince(slice: Slice, sinceUs: number, refusal: number, refusedToo: boolean): number[] {
  const to = slice.to[refusal] as number;
  const found: number[] = [];
  for (let i = 0; i < slice.size && (slice.from[i] as number) <= to; i++) {
    const counts = i !== refusal && (refusedToo || slice.part[i] !== Part.refused);
    if (counts && (slice.to[i] as number) >= sinceUs) found.push(i);
  }
  return found;
}

/** The proof that fewer than needed can have counted in a look-back. */
export function refusalAfter(
  slice: Slice,
  refusal: number,
  {
    rule,
    lookBackUs,
    needed,
    refusedToo,
  }: Pick<WrongfulRefusalDraft, 'rule' | 'lookBackUs' | 'needed'> & {
    /** Whether refused requests may have counted. */
    readonly refusedToo: boolean;
  },
): WrongfulRefusalDraft {
  return {
    rule,
    because: 'wrongful-refusal',
    refusal,
    lookBackUs,
    observed: mostWithin(slice, countedOf(slice, refusedToo), refusal, lookBackUs),
    needed,
    positions: countedSince(slice, (slice.from[refusal] as number) - lookBackUs, refusal, refusedToo),
  };
}

export const lastWindowRefusal = (slice: Slice, { longUs, max }: Bounds, position: number): WrongfulRefusalDraft =>
  refusalAfter(slice, position, {
    rule: 'wrongful-refusal-last-window',
    lookBackUs: longUs,
    needed: max,
    refusedToo: false,
  });
