import type { Bounds } from '../bounds.ts';
import { floatsWhere } from '../columns.ts';
import type { ArcsDraft, Draft } from '../draft.ts';
import { overfullInChain, refusedInChain } from '../engines/chain.ts';
import { countBelow, countUpTo } from '../engines/counted.ts';
import { lastWindowRefusal, unexplainedByLastWindow } from '../engines/last-window.ts';
import { placementConflict } from '../engines/placement.ts';
import { admittedSince } from '../engines/since.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Reading } from '../reading.ts';
import { risen } from '../rising.ts';
import { Part, type Slice } from '../slice.ts';
import { perWindow } from './describe.ts';

/** Windows that begin with a request may begin anywhere, but never two within less than W. */
function overAdmission(slice: Slice, bounds: Bounds): Draft | undefined {
  const universal = universalOverAdmission(slice, bounds);
  if (universal || bounds.shortUs <= 0) return universal;
  const arcs = placementConflict(slice, bounds);
  const conflict: ArcsDraft | undefined = arcs && {
    rule: 'fixed-window-anchored-arcs',
    because: 'over-admission',
    arcs,
  };
  return conflict ?? admittedSince(slice, bounds);
}

/** N per window; a window begins with the first request after the one before has passed (a counter with a time to live). */
export const fixedWindowAnchored: Reading<Slice> = {
  name: 'fixed-window-anchored',
  limit: 'rate',
  numbers: 'window',
  aliases: ['fixed-window-first-request', 'fixed-window-from-first-request'],
  describe: (bounds, whose) => `a fixed window of ${perWindow(bounds, whose)} that begins with its first request`,
  overAdmission,
  unexplained: unexplainedByLastWindow,
  wrongfulRefusal: lastWindowRefusal,
  inconsistent: (slice, bounds) => refusedInChain(slice, bounds) ?? overfullInChain(slice, bounds),
};

/**
 * Whether another refusal can have been decided in the last W before this one: everything but an admission may have been one,
 * also an attempt whose answer was lost.
 */
function mayBeBlocked(slice: Slice, bounds: Bounds, position: number): boolean {
  const from = (slice.from[position] as number) - bounds.longUs;
  const to = slice.to[position] as number;
  const { starts, ends } = refusalsOf(slice);
  return countUpTo(starts, to) - countBelow(ends, from) > 1;
}

const memo = new WeakMap<Slice, { readonly starts: Float64Array; readonly ends: Float64Array }>();

/** Beginnings and ends of all that may have been refused, each rising. */
function refusalsOf(slice: Slice) {
  const known = memo.get(slice);
  if (known) return known;
  const refused = (i: number) => slice.part[i] !== Part.admitted;
  const refusals = { starts: floatsWhere(slice.from, refused), ends: risen(floatsWhere(slice.to, refused)) };
  memo.set(slice, refusals);
  return refusals;
}

/**
 * As `fixedWindowAnchored`, and a refusal blocks for W, in some implementations anew each time: a refusal is explained by N
 * counted in the last W, or by any other refusal in it.
 */
export const fixedWindowPenalty: Reading<Slice> = {
  name: 'fixed-window-penalty',
  limit: 'rate',
  numbers: 'window',
  aliases: ['fixed-window-block'],
  describe: (bounds, whose) =>
    `a fixed window of ${perWindow(bounds, whose)} after whose exhaustion everything is refused for a whole window`,
  overAdmission,
  unexplained: (slice, bounds) =>
    unexplainedByLastWindow(slice, bounds).filter((position) => !mayBeBlocked(slice, bounds, position)),
  wrongfulRefusal: (slice, bounds, position) => ({
    ...lastWindowRefusal(slice, bounds, position),
    rule: 'wrongful-refusal-penalty',
  }),
  inconsistent: (slice, bounds) =>
    refusedInChain(slice, bounds, {
      rule: 'wrongful-refusal-anchored-penalty',
      explains: (position) => mayBeBlocked(slice, bounds, position),
    }) ?? overfullInChain(slice, bounds),
};
