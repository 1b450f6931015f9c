import type { Bounds } from '../bounds.ts';
import { floats } from '../columns.ts';
import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../draft.ts';
import { Part, type Slice } from '../slice.ts';
import { type Admitted, admittedOf } from './admitted.ts';
import { neverBlocked, noneWasFirst, sinceLastAdmission } from './blocked.ts';
import { countBelow, countedOf, countsItself, countUpTo } from './counted.ts';
import { judgedRefusals } from './last-window.ts';

/*
 * Windows that begin with a request, one after another, in a bucket of which everything is known: nothing was counted before
 * the run, nobody else has requests, every record is there. Valid for exactly this bucket, not for wider or narrower ones:
 * there, windows begin with other requests. Where refusals block, some services count first and look at the block then: so what was
 * refused may have begun a window, too, and have counted in it (`refusedToo`).
 */

/** The k-th window began within [earliest[k], latest[k]]; both rise. `latest` may be ∞ at the end. */
interface Chain {
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

interface Known {
  readonly bounds: Bounds;
  readonly chain: Chain | undefined;
}
const memo = { admitted: new WeakMap<Slice, Known>(), refusedToo: new WeakMap<Slice, Known>() };

/** `undefined` where the first window cannot be told. */
function chainOf(slice: Slice, bounds: Bounds, refusedToo: boolean): Chain | undefined {
  const chains = refusedToo ? memo.refusedToo : memo.admitted;
  const known = chains.get(slice);
  if (known?.bounds === bounds) return known.chain;
  const chain = made(slice, bounds, refusedToo);
  chains.set(slice, { bounds, chain });
  return chain;
}

function made(slice: Slice, { shortUs, longUs, refusals }: Bounds, refusedToo: boolean): Chain | undefined {
  if (!slice.whole || !refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  const { starts, ends } = countedOf(slice, refusedToo);
  const admitted = admittedOf(slice);
  const firstEnd = firstEnds(admitted);
  // Whatever may have counted may have begun it; by the end of the first that was surely admitted, it had.
  let early = starts[0] ?? Number.POSITIVE_INFINITY;
  let late = firstEnd[0] ?? Number.POSITIVE_INFINITY;
  if (!Number.isFinite(early)) return undefined;
  const [earliest, latest] = [floats(), floats()];
  while (Number.isFinite(early)) {
    earliest.push(early);
    latest.push(late);
    const over = early + shortUs;
    const underWay = countUpTo(starts, over) - countBelow(ends, over) > 0;
    early = underWay ? over : (starts[countUpTo(starts, over)] ?? Number.POSITIVE_INFINITY);
    late = firstEnd[countBelow(admitted.from, late + longUs)] ?? Number.POSITIVE_INFINITY;
  }
  return { earliest: earliest.values(), latest: latest.values() };
}

/** Of each admitted attempt and those that began later, the earliest end. */
function firstEnds({ to, size }: Admitted): Float64Array {
  const first = to.slice();
  for (let i = size - 2; i >= 0; i--) first[i] = Math.min(first[i] as number, first[i + 1] as number);
  return first;
}

/** A window that a refusal may belong to, and the most that can have counted in it by then. */
interface Explanation {
  readonly sinceUs: number;
  readonly counted: number;
}

/** The window that explains a refusal best, of all that may have been open; `undefined` when none can have been. */
function bestWindow(
  slice: Slice,
  { longUs }: Bounds,
  chain: Chain,
  position: number,
  refusedToo: boolean,
): Explanation | undefined {
  const counting = countedOf(slice, refusedToo);
  const { starts, ends } = counting;
  const itself = countsItself(slice, position, counting) ? 1 : 0;
  const from = slice.from[position] as number;
  const to = slice.to[position] as number;
  let best: Explanation | undefined;
  // Windows before this one were surely followed by another before the refusal was decided.
  const first = Math.max(0, countUpTo(chain.latest, from) - 1);
  for (let k = first; k < chain.earliest.length && (chain.earliest[k] as number) <= to; k++) {
    if ((chain.latest[k] as number) + longUs < from) continue;
    const sinceUs = chain.earliest[k] as number;
    const counted = countUpTo(starts, to) - countBelow(ends, sinceUs) - itself;
    if (!best || counted > best.counted) best = { sinceUs, counted };
  }
  return best;
}

/** The first refusal of the limit that no window can have caused. */
export function refusedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const chain = chainOf(slice, bounds, false);
  if (!chain) return undefined;
  for (const position of judgedRefusals(slice, bounds)) {
    if (slice.part[position] !== Part.refused) continue;
    const window = bestWindow(slice, bounds, chain, position, false);
    if ((window?.counted ?? 0) < bounds.max) return draftOf(slice, bounds, position, window, false);
  }
  return undefined;
}

/** The first refusal of the limit that no window can have caused, nor another refusal for which one can. */
export function unblockedInChain(slice: Slice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const chain = chainOf(slice, bounds, true);
  if (!chain) return undefined;
  const windowOf = (position: number) => bestWindow(slice, bounds, chain, position, true);
  const since = sinceLastAdmission(slice, bounds);
  const never = neverBlocked(slice, bounds, (position) => (windowOf(position)?.counted ?? 0) >= bounds.max, since);
  const first = never.find((position) => slice.part[position] === Part.refused);
  if (first === undefined) return undefined;
  const proof = noneWasFirst(slice, bounds, first, (one) => draftOf(slice, bounds, one, windowOf(one), true), since);
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

/** From when on nothing is counted in a window before the k-th: it has begun, or the one before it is over, which what comes next ends. */
const surelyIn = ({ latest }: Chain, k: number, { longUs }: Bounds): number =>
  k === 0 ? Number.NEGATIVE_INFINITY : Math.min(latest[k] as number, (latest[k - 1] as number) + longUs);

/** N + 1 admitted that surely lie in one window. */
export function overfullInChain(slice: Slice, bounds: Bounds, refusedToo: boolean): OverAdmissionDraft | undefined {
  const chain = chainOf(slice, bounds, refusedToo);
  if (!chain) return undefined;
  const admitted = admittedOf(slice);
  for (let k = 0; k < chain.earliest.length; k++) {
    const begins = surelyIn(chain, k, bounds);
    const over = (chain.earliest[k] as number) + bounds.shortUs;
    const members: number[] = [];
    for (let i = countBelow(admitted.from, begins); i < admitted.size && (admitted.from[i] as number) < over; i++)
      if ((admitted.to[i] as number) < over) members.push(i);
    if (members.length <= bounds.max) continue;
    const positions = members.slice(0, bounds.max + 1).map((i) => admitted.position[i] as number);
    return {
      rule: 'fixed-window-anchored-chain',
      because: 'over-admission',
      observed: positions.length,
      possible: bounds.max,
      positions,
    };
  }
  return undefined;
}
