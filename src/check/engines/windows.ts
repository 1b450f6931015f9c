import type { Bounds } from '../evidence/bounds.ts';
import { floats } from '../evidence/columns.ts';
import type { Admitted } from './admitted.ts';
import { countBelow, countUpTo, type Spans } from './counted.ts';

/** Windows that begin with a request counted in them, one after another, in a bucket that is completely known. */

/** The k-th window began within [earliest[k], latest[k]]; both rise. `latest` may be ∞ at the end. */
export interface Chain {
  readonly earliest: Float64Array;
  readonly latest: Float64Array;
}

type Length = Pick<Bounds, 'shortUs' | 'longUs'>;

/**
 * @param may what may have begun a window
 * @param surely what certainly counted in one
 * @returns `undefined` if the first window is unknown
 */
export function chainFrom({ starts, ends }: Spans, surely: Admitted, { shortUs, longUs }: Length): Chain | undefined {
  const firstEnd = firstEnds(surely);
  // Anything that may have counted may have begun it; by the first end of a certain admission it had begun.
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
    late = firstEnd[countBelow(surely.from, late + longUs)] ?? Number.POSITIVE_INFINITY;
  }
  return { earliest: earliest.values(), latest: latest.values() };
}

/** Of each admitted attempt and all that began later, the earliest end. */
function firstEnds({ to, size }: Admitted): Float64Array {
  const first = to.slice();
  for (let i = size - 2; i >= 0; i--) first[i] = Math.min(first[i] as number, first[i + 1] as number);
  return first;
}

/** A window to which a refusal may belong, and the most that can have counted in it by then. */
export interface Explanation {
  readonly sinceUs: number;
  readonly counted: number;
}

/**
 * Of all windows that may have been open, the one that explains a refusal best; `undefined` if none can have been open.
 * @param counted what may have counted
 * @param refusal when it was decided; `itself`: how often it is itself among `counted`
 */
export function bestWindow(
  chain: Chain,
  { starts, ends }: Spans,
  { from, to, itself }: { readonly from: number; readonly to: number; readonly itself: number },
  longUs: number,
): Explanation | undefined {
  // Earlier windows were certainly followed by another before the refusal was decided; in later ones no more can have counted.
  let k = Math.max(0, countUpTo(chain.latest, from) - 1);
  if ((chain.latest[k] as number) + longUs < from) k += 1;
  const sinceUs = chain.earliest[k] ?? Number.POSITIVE_INFINITY;
  if (sinceUs > to) return undefined;
  return { sinceUs, counted: countUpTo(starts, to) - countBelow(ends, sinceUs) - itself };
}

/**
 * From when on nothing counts in a window before the k-th: the k-th has begun, or the previous one is over and the next request
 * begins it.
 */
const surelyIn = ({ latest }: Chain, k: number, longUs: number): number =>
  k === 0 ? Number.NEGATIVE_INFINITY : Math.min(latest[k] as number, (latest[k - 1] as number) + longUs);

/** Positions of N + 1 requests that certainly lie in one window. */
export function tooManyInOne(
  chain: Chain,
  surely: Admitted,
  { max, shortUs, longUs }: Length & Pick<Bounds, 'max'>,
): readonly number[] | undefined {
  for (let k = 0; k < chain.earliest.length; k++) {
    const begins = surelyIn(chain, k, longUs);
    const over = (chain.earliest[k] as number) + shortUs;
    const members: number[] = [];
    for (let i = countBelow(surely.from, begins); i < surely.size && (surely.from[i] as number) < over; i++)
      if ((surely.to[i] as number) < over) members.push(i);
    if (members.length > max) return members.slice(0, max + 1).map((i) => surely.position[i] as number);
  }
  return undefined;
}
