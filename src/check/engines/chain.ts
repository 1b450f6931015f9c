import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { admittedOf } from './admitted.ts';
import { neverBlocked, noneWasFirst, sinceLastAdmission } from './blocked.ts';
import { type Counted, countedOf, countsItself } from './counted.ts';
import { type Few, judgedRefusals, proofOfFew } from './last-window.ts';
import { bestWindow, type Chain, chainFrom, type Explanation, tooManyInOne } from './windows.ts';

/**
 * Windows that begin with a request, one after another, in a bucket that is completely known: nothing was counted before the run,
 * nobody else sends requests, every record exists. Valid for exactly this bucket: in a wider or narrower one, windows begin with
 * other requests. If refusals block, some services count first and then check the block: so refused requests may have begun a
 * window, too, and counted in it (`refusedToo`).
 */

interface Windows {
  readonly slice: Slice;
  readonly bounds: Bounds;
  readonly chain: Chain;
  /** What may have counted in them. */
  readonly counted: Counted;
}

const windowsOfAdmitted = rememberedFor((slice: Slice, bounds: Bounds) => windowsIn(slice, bounds, false));
const windowsWithRefused = rememberedFor((slice: Slice, bounds: Bounds) => windowsIn(slice, bounds, true));

/** `undefined` if the first window is unknown. */
function windowsIn(slice: Slice, bounds: Bounds, refusedToo: boolean): Windows | undefined {
  const { shortUs, refusals } = bounds;
  if (!slice.whole || !refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  const counted = countedOf(slice, refusedToo);
  const chain = chainFrom(counted, admittedOf(slice), bounds);
  return chain && { slice, bounds, chain, counted };
}

/** The window that explains a refusal best. */
function windowOf({ slice, bounds, chain, counted }: Windows, position: number): Explanation | undefined {
  const [from, to] = [slice.from[position] as number, slice.to[position] as number];
  const itself = countsItself(slice, position, counted) ? 1 : 0;
  return bestWindow(chain, counted, { from, to, itself }, bounds.longUs);
}

/** The first refusal of the limit that no window can have caused. */
export function refusedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const windows = windowsOfAdmitted(slice, bounds);
  if (!windows) return undefined;
  for (const position of judgedRefusals(slice, bounds)) {
    if (slice.part[position] !== Part.refused) continue;
    const window = windowOf(windows, position);
    if ((window?.counted ?? 0) < bounds.max) return proofOfFew(slice, fewIn(windows, position, window));
  }
  return undefined;
}

/** The first refusal of the limit that neither a window nor an earlier refusal caused by a window can have caused. */
export function unblockedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const windows = windowsWithRefused(slice, bounds);
  if (!windows) return undefined;
  const openAt = (position: number) => windowOf(windows, position);
  const since = sinceLastAdmission(slice, bounds);
  const never = neverBlocked(slice, bounds, (position) => (openAt(position)?.counted ?? 0) >= bounds.max, since);
  const first = never.find((position) => slice.part[position] === Part.refused);
  if (first === undefined) return undefined;
  const proof = noneWasFirst(slice, bounds, first, (one) => fewIn(windows, one, openAt(one)), since);
  return { ...proof, rule: 'wrongful-refusal-anchored-penalty' };
}

function fewIn({ slice, bounds, counted }: Windows, refusal: number, window: Explanation | undefined): Few {
  const from = slice.from[refusal] as number;
  const sinceUs = window?.sinceUs ?? from;
  return {
    rule: 'wrongful-refusal-anchored',
    refusal,
    lookBackUs: Math.max(0, from - sinceUs),
    observed: window?.counted ?? 0,
    needed: bounds.max,
    sinceUs,
    refusedToo: counted.refusedToo,
  };
}

/** N + 1 admitted requests that certainly lie in one window. */
export function overfullInChain(slice: Slice, bounds: Bounds, refusedToo: boolean): OverAdmissionDraft | undefined {
  const windows = (refusedToo ? windowsWithRefused : windowsOfAdmitted)(slice, bounds);
  const positions = windows && tooManyInOne(windows.chain, admittedOf(slice), bounds);
  if (!positions) return undefined;
  return {
    rule: 'fixed-window-anchored-chain',
    because: 'over-admission',
    observed: positions.length,
    possible: bounds.max,
    positions,
  };
}
