import type { Bounds } from '../bounds.ts';
import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../draft.ts';
import { rememberedFor } from '../remembered.ts';
import { Part, type Slice } from '../slice.ts';
import { admittedOf } from './admitted.ts';
import { neverBlocked, noneWasFirst, sinceLastAdmission } from './blocked.ts';
import { countedOf, countsItself } from './counted.ts';
import { judgedRefusals } from './last-window.ts';
import { bestWindow, type Chain, chainFrom, type Explanation, tooManyInOne } from './windows.ts';

/**
 * Windows that begin with a request, one after another, in a bucket that is completely known: nothing was counted before the run,
 * nobody else sends requests, every record exists. Valid for exactly this bucket: in a wider or narrower one, windows begin with
 * other requests. If refusals block, some services count first and then check the block: so refused requests may have begun a
 * window, too, and counted in it (`refusedToo`).
 */

/** `undefined` if the first window is unknown. */
const chainOf = (slice: Slice, bounds: Bounds, refusedToo: boolean): Chain | undefined =>
  refusedToo ? chainWithRefused(slice, bounds) : chainOfAdmitted(slice, bounds);

const chainOfAdmitted = rememberedFor((slice: Slice, bounds: Bounds) => made(slice, bounds, false));
const chainWithRefused = rememberedFor((slice: Slice, bounds: Bounds) => made(slice, bounds, true));

function made(slice: Slice, bounds: Bounds, refusedToo: boolean): Chain | undefined {
  const { shortUs, refusals } = bounds;
  if (!slice.whole || !refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  return chainFrom(countedOf(slice, refusedToo), admittedOf(slice), bounds);
}

/** The window that explains a refusal best. */
function windowOf(
  slice: Slice,
  { longUs }: Bounds,
  chain: Chain,
  position: number,
  refusedToo: boolean,
): Explanation | undefined {
  const counted = countedOf(slice, refusedToo);
  const [from, to] = [slice.from[position] as number, slice.to[position] as number];
  return bestWindow(chain, counted, { from, to, itself: countsItself(slice, position, counted) ? 1 : 0 }, longUs);
}

/** The first refusal of the limit that no window can have caused. */
export function refusedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const chain = chainOf(slice, bounds, false);
  if (!chain) return undefined;
  for (const position of judgedRefusals(slice, bounds)) {
    if (slice.part[position] !== Part.refused) continue;
    const window = windowOf(slice, bounds, chain, position, false);
    if ((window?.counted ?? 0) < bounds.max) return draftOf(slice, bounds, position, window, false);
  }
  return undefined;
}

/** The first refusal of the limit that neither a window nor an earlier refusal caused by a window can have caused. */
export function unblockedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const chain = chainOf(slice, bounds, true);
  if (!chain) return undefined;
  const openAt = (position: number) => windowOf(slice, bounds, chain, position, true);
  const since = sinceLastAdmission(slice, bounds);
  const never = neverBlocked(slice, bounds, (position) => (openAt(position)?.counted ?? 0) >= bounds.max, since);
  const first = never.find((position) => slice.part[position] === Part.refused);
  if (first === undefined) return undefined;
  const proof = noneWasFirst(slice, bounds, first, (one) => draftOf(slice, bounds, one, openAt(one), true), since);
  return { ...proof, rule: 'wrongful-refusal-anchored-penalty' };
}

function draftOf(
  slice: Slice,
  { max }: Bounds,
  refusal: number,
  window: Explanation | undefined,
  refusedToo: boolean,
): WrongfulRefusalDraft {
  const from = slice.from[refusal] as number;
  const to = slice.to[refusal] as number;
  const sinceUs = window?.sinceUs ?? from;
  const positions: number[] = [];
  for (let i = 0; i < slice.size && (slice.from[i] as number) <= to; i++)
    if (i !== refusal && (refusedToo || slice.part[i] !== Part.refused) && (slice.to[i] as number) >= sinceUs)
      positions.push(i);
  return {
    rule: 'wrongful-refusal-anchored',
    because: 'wrongful-refusal',
    refusal,
    lookBackUs: Math.max(0, from - sinceUs),
    observed: window?.counted ?? 0,
    needed: max,
    positions,
  };
}

/** N + 1 admitted requests that certainly lie in one window. */
export function overfullInChain(slice: Slice, bounds: Bounds, refusedToo: boolean): OverAdmissionDraft | undefined {
  const chain = chainOf(slice, bounds, refusedToo);
  const positions = chain && tooManyInOne(chain, admittedOf(slice), bounds);
  if (!positions) return undefined;
  return {
    rule: 'fixed-window-anchored-chain',
    because: 'over-admission',
    observed: positions.length,
    possible: bounds.max,
    positions,
  };
}
