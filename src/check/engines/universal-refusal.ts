import type { Bounds } from '../bounds.ts';
import type { WrongfulRefusalDraft } from '../draft.ts';
import { Part, type Slice } from '../slice.ts';
import { countedOf } from './counted.ts';
import { judgedRefusals, lookedBackUpon, mostWithin } from './last-window.ts';

/**
 * Fewer than this, refused ones among them, in two windows, and every reading admits: N of a log or a window; N − 1 of a sliding
 * counter, whose variants differ by one; N − 2 of a bucket that owes a token and whose clock ticks coarsely (limits.md 1.3).
 */
export const neededByAny = ({ max }: Pick<Bounds, 'max'>): number => Math.max(1, max - 2);

/** Refusals that no reading explains, by one count that holds for all of them. Some that each reading fails to explain are not among them. */
export function* refusedByNone(slice: Slice, bounds: Bounds): Generator<number> {
  const counted = countedOf(slice, true);
  const needed = neededByAny(bounds);
  for (const position of judgedRefusals(slice, bounds)) {
    if (mostWithin(slice, counted, position, 2 * bounds.longUs, needed) >= needed) continue;
    if (!mayFollowARefusal(slice, bounds, position)) yield position;
  }
}

/** A refusal in the last window may be why a penalty still holds: everything but an admission may have been one. */
function mayFollowARefusal(slice: Slice, { longUs }: Bounds, position: number): boolean {
  const [from, to] = [(slice.from[position] as number) - longUs, slice.to[position] as number];
  for (let i = 0; i < slice.size && (slice.from[i] as number) <= to; i++)
    if (i !== position && slice.part[i] !== Part.admitted && (slice.to[i] as number) >= from) return true;
  return false;
}

export function universalRefusal(slice: Slice, bounds: Bounds, position: number): WrongfulRefusalDraft {
  const lookBackUs = 2 * bounds.longUs;
  const needed = neededByAny(bounds);
  return {
    rule: 'universal-refusal',
    because: 'wrongful-refusal',
    refusal: position,
    lookBackUs,
    observed: mostWithin(slice, countedOf(slice, true), position, lookBackUs, needed),
    needed,
    positions: lookedBackUpon(slice, position, lookBackUs, true),
  };
}
