import type { Bounds } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { OVERLAP_US, type Saying, slackAt } from './arcs.ts';
import { type Counted, countBelow, countedOf, countUpTo } from './counted.ts';
import { lastBoundary } from './counter-overfull.ts';
import type { UnpausedStretch } from './counter-stretches.ts';
import { countedSince, judgedRefusals } from './last-window.ts';

/** A refusal, and the boundaries for which no variant of the counter gives it. */
interface Found {
  readonly refusal: number;
  readonly from: number;
  readonly to: number;
}

/** Of at most this many refusals that rule out a phase, the one that rules out most is used. */
const MOST_COMPARED = 64;
const HAIR = 1e-6;

/**
 * Why no window begins at `phase`, carried back to time 0: a request was refused although everything that may have counted, with
 * the highest possible weights, was below N − 1; the tolerance of one is for the variants of the comparison (limits.md 5.4).
 * Counters that count before they compare include what they refuse: so other refusals may have counted here.
 * @param stretch its refusals are examined; everything in the slice may count
 * @returns what rules out the widest arc around it; `undefined` if nothing does
 */
export function refusedAt(slice: Slice, stretch: UnpausedStretch, bounds: Bounds, phase: number): Saying | undefined {
  const counted = countedOf(slice, true);
  let best: Found | undefined;
  let compared = 0;
  const judged = judgedRefusals(slice, bounds);
  for (const refusal of judged.subarray(countBelow(judged, stretch.first), countBelow(judged, stretch.end))) {
    // An ambiguous refusal may be another limit's and shows nothing.
    if (slice.part[refusal] !== Part.refused || (slice.to[refusal] as number) >= stretch.until) continue;
    const found = new Weighing(slice, counted, refusal, bounds).unlessAround(phase);
    if (!found) continue;
    if (!best || found.to - found.from > best.to - best.from) best = found;
    compared += 1;
    if (compared === MOST_COMPARED) break;
  }
  return best && sayingOf(slice, best, bounds);
}

/** What may have counted when one refusal was decided, as a function of the begin of its window. */
class Weighing {
  readonly #refusal: number;
  readonly #from: number;
  readonly #to: number;
  readonly #ends: Float64Array;
  readonly #begun: number;
  readonly #bounds: Bounds;

  constructor({ from, to }: Slice, { starts, ends }: Counted, refusal: number, bounds: Bounds) {
    this.#refusal = refusal;
    this.#from = from[refusal] as number;
    this.#to = to[refusal] as number;
    this.#ends = ends;
    // The refusal does not count itself.
    this.#begun = countUpTo(starts, this.#to) - 1;
    this.#bounds = bounds;
  }

  /** The widest arc around a phase in which no boundary can lie; `undefined` if the refusal allows a boundary there. */
  unlessAround(phase: number): Found | undefined {
    const { windowUs, shortUs } = this.#bounds;
    const boundary = lastBoundary(this.#from, phase, windowUs);
    const slack = slackAt(Math.abs(boundary) + windowUs, this.#bounds);
    const [earliest, latest] = [boundary - slack, boundary + slack];
    // If it may have been decided in either of two windows, nothing follows.
    if (latest >= this.#from || this.#to >= earliest + shortUs) return undefined;
    const to = this.#latestFrom(latest);
    const from = to === undefined ? undefined : this.#earliestFrom(to, earliest);
    return from === undefined || to === undefined ? undefined : { refusal: this.#refusal, from, to };
  }

  /**
   * The most that counted for a boundary within [since, until], none of which precedes an end: everything that ended at `until`
   * or later is in the current window, the rest weighs in from the previous one.
   */
  #mostWithin(since: number, until: number): number {
    const { longUs } = this.#bounds;
    const over = countBelow(this.#ends, until);
    const weighing = over - countBelow(this.#ends, since - longUs);
    return this.#begun - over + weighing * this.#shareAt(until);
  }

  /** The highest weight of one request of the previous window. */
  #shareAt(boundary: number): number {
    const { longUs, slackUs } = this.#bounds;
    return Math.min(1, 1 - (this.#from - boundary - slackUs) / longUs);
  }

  get #enough(): number {
    return this.#bounds.max - 1 - HAIR;
  }

  /** The latest boundary up to which all from `at` on are ruled out; `undefined` if not even `at` is. */
  #latestFrom(at: number): number | undefined {
    if (this.#mostWithin(at, at) >= this.#enough) return undefined;
    let reached = at;
    for (let index = countBelow(this.#ends, at); reached < this.#from; ) {
      const until = Math.min(this.#from, this.#ends[index] ?? Number.POSITIVE_INFINITY);
      if (this.#mostWithin(reached, until) >= this.#enough) return this.#lightBefore(reached, until);
      reached = until;
      index = countUpTo(this.#ends, until);
    }
    return reached;
  }

  /** Within (since, until] nothing ends, so the weight rises evenly; this is the boundary up to which it is too little. */
  #lightBefore(since: number, until: number): number {
    const { longUs, slackUs } = this.#bounds;
    const over = countBelow(this.#ends, until);
    const weighing = over - countBelow(this.#ends, since - longUs);
    const share = (this.#enough - (this.#begun - over)) / weighing;
    // Excludes the boundary at which it suffices.
    const light = this.#from - slackUs - longUs * (1 - share) - 1;
    return Math.max(since, Math.min(until, light));
  }

  /** The last boundary before one at which something changes: after the next end, or one µs after a request falls a window behind. */
  #turnBefore(boundary: number): number {
    const { longUs } = this.#bounds;
    const ended = this.#ends[countBelow(this.#ends, boundary) - 1] ?? Number.NEGATIVE_INFINITY;
    const left = this.#ends[countBelow(this.#ends, boundary - longUs - 1) - 1] ?? Number.NEGATIVE_INFINITY;
    const turn = left + longUs + 1;
    // Rounding may make it no earlier than `boundary`: then no request falls behind before it.
    return turn < boundary ? Math.max(ended, turn) : ended;
  }

  /** The earliest boundary from which on all up to `to` are ruled out; `undefined` if not all from `at` on are. */
  #earliestFrom(to: number, at: number): number | undefined {
    const earliest = this.#to - this.#bounds.shortUs;
    let reached = to;
    while (reached > earliest) {
      const since = Math.max(earliest, this.#turnBefore(reached));
      if (this.#mostWithin(since, reached) >= this.#enough) break;
      reached = since;
    }
    return reached < at ? reached : undefined;
  }
}

function sayingOf(slice: Slice, { refusal, from, to }: Found, bounds: Bounds): Saying {
  const slack = Math.max(slackAt(from, bounds), slackAt(to, bounds)) + OVERLAP_US;
  const says = 'no-boundary-within';
  return {
    says,
    from: from + slack,
    to: to - slack,
    draft: () => {
      const lookBackUs = (slice.from[refusal] as number) - from + bounds.longUs;
      const sinceUs = (slice.from[refusal] as number) - lookBackUs;
      return { says, fromUs: from, toUs: to, refusal, positions: countedSince(slice, sinceUs, refusal, true) };
    },
  };
}
