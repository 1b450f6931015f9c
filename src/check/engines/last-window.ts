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
  const found = countedSinceAny(slice, [{ refusal, sinceUs, refusedToo }]);
  return found.filter((i) => i !== refusal);
}

/** What a look back from a refusal may find: everything that may have counted since an instant, refused requests too or not. */
interface LookBack {
  readonly refusal: number;
  readonly sinceUs: number;
  readonly refusedToo: boolean;
}

/** Everything that at least one of these may find, one of them itself included if it may have counted. O(n log n) for all together. */
export function countedSinceAny({ from, to, part, size }: Slice, looks: readonly LookBack[]): number[] {
  const byEnd = looks.toSorted((a, b) => (to[a.refusal] as number) - (to[b.refusal] as number));
  // How far those look back that are decided no earlier than this one: what begins later concerns only these.
  const since = byEnd.map(({ sinceUs }) => sinceUs);
  for (let k = since.length - 2; k >= 0; k--) since[k] = Math.min(since[k] as number, since[k + 1] as number);
  const refusedToo = looks.some((look) => look.refusedToo);
  const found: number[] = [];
  for (let i = 0, k = 0; i < size; i++) {
    while (k < byEnd.length && (to[(byEnd[k] as LookBack).refusal] as number) < (from[i] as number)) k += 1;
    if (k === byEnd.length) break;
    if ((refusedToo || part[i] !== Part.refused) && (to[i] as number) >= (since[k] as number)) found.push(i);
  }
  return found;
}

/** The proof that fewer than needed can have counted before a refusal, without the list of what may have. */
export type Few = Omit<WrongfulRefusalDraft, 'positions' | 'because'> & LookBack;

export function proofOfFew(slice: Slice, { rule, sinceUs, refusedToo, ...few }: Few): WrongfulRefusalDraft {
  const positions = countedSince(slice, sinceUs, few.refusal, refusedToo);
  return { rule, because: 'wrongful-refusal', ...few, positions };
}

/** How many can have counted in a look-back. */
export function fewBefore(
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
): Few {
  const observed = mostWithin(slice, countedOf(slice, refusedToo), refusal, lookBackUs);
  const sinceUs = (slice.from[refusal] as number) - lookBackUs;
  return { rule, refusal, lookBackUs, observed, needed, sinceUs, refusedToo };
}

/** The proof that fewer than needed can have counted in a look-back. */
export const refusalAfter = (...about: Parameters<typeof fewBefore>): WrongfulRefusalDraft =>
  proofOfFew(about[0], fewBefore(...about));

export const lastWindowRefusal = (slice: Slice, { longUs, max }: Bounds, position: number): WrongfulRefusalDraft =>
  refusalAfter(slice, position, {
    rule: 'wrongful-refusal-last-window',
    lookBackUs: longUs,
    needed: max,
    refusedToo: false,
  });
