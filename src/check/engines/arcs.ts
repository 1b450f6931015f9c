import type { Arc, ArcsRule } from '../certificates/certificate.ts';
import type { ArcDraft, ArcsDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { risingBy } from '../rising.ts';
import { type ArcSet, arcSet, exclude, intersect, isWithin, meet, touches, wholeCircle } from './circle.ts';
import { countedSince, judgedRefusals } from './last-window.ts';
import { SmallestLast } from './smallest-last.ts';

/** What one observation says: that a window begins somewhere, or does not; widened by drift and granularity. */
export interface Saying {
  readonly says: Arc['says'];
  /** A boundary lies within [from, to]; or none lies within the open (from, to). Service µs since run time 0, carried back to time 0. */
  readonly from: number;
  readonly to: number;
  /** Of a boundary that is the first of several: how many windows hold what was admitted. Default 1. */
  readonly windows?: number;
  readonly draft: () => ArcDraft;
}

/** The possible error of a boundary at `t`: drift since time 0, and granularity. */
export const slackAt = (t: number, { drift, slackUs }: Bounds): number => Math.abs(t) * drift + slackUs;

/** Arcs that overlap by less prove nothing together: rounding decides whether one ends before the next begins. */
export const OVERLAP_US = 2e-3;

/**
 * A refusal shows that no window began between the N-th last end of what may have counted and the refusal's begin: the window
 * that refused would have held fewer than N.
 */
export function refusedArcs(slice: Slice, bounds: Bounds, dial: Dial): void {
  const latest = new LatestEnds(slice, bounds.max);
  for (const position of risingBy(judgedRefusals(slice, bounds), (one) => slice.to[one] as number)) {
    // An ambiguous refusal may be another limit's and shows nothing.
    if (slice.part[position] !== Part.refused) continue;
    const to = slice.from[position] as number;
    const from = latest.upTo(slice.to[position] as number);
    const slack = Math.max(slackAt(to, bounds), Number.isFinite(from) ? slackAt(from, bounds) : 0);
    if (to - slack <= from + slack || !dial.isTouched(from + slack, to - slack)) continue;
    const done = dial.take({
      says: 'no-boundary-within',
      from: from + slack,
      to: to - slack,
      draft: () => ({
        says: 'no-boundary-within',
        fromUs: from,
        toUs: to,
        refusal: position,
        positions: countedSince(slice, to - Math.max(0, to - from), position, false),
      }),
    });
    if (done) return;
  }
}

/** The N-th largest end among attempts that may have counted and began by an instant. Must be asked with rising instants. */
class LatestEnds {
  readonly #slice: Slice;
  readonly #ends: SmallestLast;
  #next = 0;

  constructor(slice: Slice, max: number) {
    this.#slice = slice;
    this.#ends = new SmallestLast(max);
  }

  /** −∞ if there are fewer than N. */
  upTo(instant: number): number {
    const { from, to, part, size } = this.#slice;
    for (; this.#next < size && (from[this.#next] as number) <= instant; this.#next++)
      if (part[this.#next] !== Part.refused) this.#ends.add(to[this.#next] as number);
    return this.#ends.smallest;
  }
}

/** Windows that begin at multiples of W of the service's clock. */
export function alignedArc({ originUs, windowUs, phaseUncertaintyUs, slackUs }: Bounds): Saying {
  const at = -(originUs % windowUs);
  const give = phaseUncertaintyUs + slackUs;
  const fromUs = at - give;
  const toUs = at + give;
  return { says: 'aligned', from: fromUs, to: toUs, draft: () => ({ says: 'aligned', fromUs, toUs, positions: [] }) };
}

/** What is left of the circle of possible beginnings after applying a saying. */
function narrowed(set: ArcSet, { says, from, to }: Saying, windowUs: number): ArcSet {
  if (says === 'no-boundary-within' || says === 'overfull-with-boundary-within')
    return exclude(set, from, to, windowUs);
  if (to < from) return [];
  const arcs = arcSet(from, to, windowUs);
  return isWithin(set, arcs) ? set : intersect(set, arcs);
}

/** Applies sayings one after another. */
export class Dial {
  readonly #windowUs: number;
  /** The sayings that removed something. */
  readonly sayings: Saying[] = [];
  left: ArcSet;

  constructor(windowUs: number) {
    this.#windowUs = windowUs;
    this.left = wholeCircle(windowUs);
  }

  /** Whether a saying that no window begins within (from, to) would remove anything: nearly always an earlier one has done so. */
  isTouched(from: number, to: number): boolean {
    return touches(this.left, from, to, this.#windowUs);
  }

  /** @returns true once nothing is left */
  take(saying: Saying): boolean {
    const left = narrowed(this.left, saying, this.#windowUs);
    if (left !== this.left && differs(left, this.left)) {
      this.left = left;
      this.sayings.push(saying);
    }
    return left.length === 0;
  }

  /**
   * A minimal set of sayings that together leave nothing; those about several windows only where nothing simpler does. Each is left
   * out, the last about several windows first, if those kept before it and all behind it leave nothing: one pass, because what they
   * leave is known beforehand.
   */
  irreducible(): readonly Saying[] {
    const windowUs = this.#windowUs;
    const simplestLast = [...this.sayings].sort((a, b) => (b.windows ?? 1) - (a.windows ?? 1));
    const leftBehind: ArcSet[] = [wholeCircle(windowUs)];
    for (const saying of simplestLast.slice(1).reverse())
      leftBehind.push(narrowed(leftBehind.at(-1) as ArcSet, saying, windowUs));
    let left = wholeCircle(windowUs);
    const needed = simplestLast.filter((saying) => {
      const isNeeded = meet(left, leftBehind.pop() as ArcSet);
      if (isNeeded) left = narrowed(left, saying, windowUs);
      return isNeeded;
    });
    const kept = new Set(needed);
    return this.sayings.filter((saying) => kept.has(saying));
  }
}

/** The proof that windows can begin nowhere; `undefined` while something is left. */
export function conflictOf(dial: Dial, rule: ArcsRule): ArcsDraft | undefined {
  if (dial.left.length > 0) return undefined;
  const arcs = dial.irreducible().map(({ draft }) => draft());
  const refused = arcs.some(({ says }) => says === 'no-boundary-within');
  const admitted = arcs.some(({ says }) => says === 'boundary-within' || says === 'overfull-with-boundary-within');
  const because = refused && admitted ? 'inconsistent' : refused ? 'wrongful-refusal' : 'over-admission';
  return { rule, because, arcs };
}

const differs = (a: ArcSet, b: ArcSet) =>
  a.length !== b.length || a.some(([from, to], i) => from !== b[i]?.[0] || to !== b[i]?.[1]);
