import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { type Bounds, neededIn } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import { union } from '../rising.ts';
import { neverBlocked, noneWasFirst } from './blocked.ts';
import { unexplainedByBucket } from './bucket.ts';
import { countedOf } from './counted.ts';
import { firstRefusal, neverFirstOfFew } from './first-refused.ts';
import { type Few, fewBefore, mostWithin } from './last-window.ts';

/**
 * Refusals that no reading explains, found by one count that holds for all readings; if a refusal may block, then nor does a
 * reading explain any that may have blocked them. The list need not contain every refusal that each reading fails to explain
 * separately. With fewer than N in two windows, refused ones included, every reading admits (limits.md 1.3): a log and a window
 * count fewer than N; a sliding counter weighs at most everything in two windows, however it rounds, and what clocks add
 * (`neededIn`); a bucket was full since, or has regained twice N less the token that it may owe, unless its clock goes back.
 * Refused ones count in some readings, and the first of them followed none.
 */
export function refusedByNone(slice: Slice, bounds: Bounds): readonly number[] {
  const byBucket = new Set(unexplainedByBucket(slice, bounds));
  return union(afterFew(slice, bounds), neverFirstOfFew(slice, bounds, 2)).filter((position) => byBucket.has(position));
}

function afterFew(slice: Slice, bounds: Bounds): readonly number[] {
  const counted = countedOf(slice, true);
  const lookBackUs = 2 * bounds.longUs;
  const needed = neededIn(2, bounds);
  const mayBeRefused = (position: number) => mostWithin(slice, counted, position, lookBackUs, needed) >= needed;
  return neverBlocked(slice, bounds, mayBeRefused);
}

export function universalRefusal(slice: Slice, bounds: Bounds, position: number): WrongfulRefusalDraft {
  const proof = noneWasFirst(slice, bounds, position, (one) => fewOfTwoWindows(slice, bounds, one));
  if (proof.observed < proof.needed) return proof;
  return firstRefusal(slice, bounds, position, { rule: 'wrongful-first-refusal-of-two-windows', windows: 2 });
}

const fewOfTwoWindows = (slice: Slice, bounds: Bounds, position: number): Few =>
  fewBefore(slice, position, {
    rule: 'universal-refusal',
    lookBackUs: 2 * bounds.longUs,
    needed: neededIn(2, bounds),
    refusedToo: true,
  });
