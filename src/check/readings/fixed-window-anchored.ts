import type { Bounds } from '../bounds.ts';
import type { ArcsDraft, Draft } from '../draft.ts';
import { neverBlocked, noneWasFirst } from '../engines/blocked.ts';
import { overfullInChain, refusedInChain, unblockedInChain } from '../engines/chain.ts';
import { countedOf } from '../engines/counted.ts';
import { lastWindowRefusal, mostWithin, unexplainedByLastWindow } from '../engines/last-window.ts';
import { placementConflict } from '../engines/placement.ts';
import { admittedSince } from '../engines/since.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Reading } from '../reading.ts';
import { Part, type Slice } from '../slice.ts';
import { perWindow } from './describe.ts';

/** Windows that begin with a request may begin anywhere, but no two begin within less than W. */
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

/** N per window; a window begins with the first request after the end of the previous one (a counter with a time to live). */
export const fixedWindowAnchored: Reading<Slice> = {
  name: 'fixed-window-anchored',
  limit: 'rate',
  numbers: 'window',
  aliases: ['fixed-window-first-request', 'fixed-window-from-first-request'],
  describe: (bounds, whose) => `a fixed window of ${perWindow(bounds, whose)} that begins with its first request`,
  overAdmission,
  unexplained: unexplainedByLastWindow,
  wrongfulRefusal: lastWindowRefusal,
  inconsistent: (slice, bounds) => refusedInChain(slice, bounds) ?? overfullInChain(slice, bounds, false),
};

const memo = new WeakMap<Slice, { readonly bounds: Bounds; readonly positions: readonly number[] }>();

function neverRefused(slice: Slice, bounds: Bounds): readonly number[] {
  const known = memo.get(slice);
  if (known?.bounds === bounds) return known.positions;
  const few = new Set(unexplainedByLastWindow(slice, bounds));
  const counted = countedOf(slice, false);
  const { longUs, max } = bounds;
  const isExhausted = (i: number) =>
    !few.has(i) && (slice.part[i] !== Part.maybe || mostWithin(slice, counted, i, longUs, max) >= max);
  const positions = few.size === 0 ? [] : neverBlocked(slice, bounds, isExhausted);
  memo.set(slice, { bounds, positions });
  return positions;
}

/**
 * Like `fixedWindowAnchored`, and a refusal blocks for W; in some implementations each further one blocks anew. So a refusal is
 * explained by N counted in the last W, or by an explained refusal within the last W.
 */
export const fixedWindowPenalty: Reading<Slice> = {
  name: 'fixed-window-penalty',
  limit: 'rate',
  numbers: 'window',
  aliases: ['fixed-window-block'],
  describe: (bounds, whose) =>
    `a fixed window of ${perWindow(bounds, whose)} whose first refusal blocks for a whole window`,
  overAdmission,
  unexplained: neverRefused,
  wrongfulRefusal: (slice, bounds, position) => ({
    ...noneWasFirst(slice, bounds, position, (one) => lastWindowRefusal(slice, bounds, one)),
    rule: 'wrongful-refusal-penalty',
  }),
  inconsistent: (slice, bounds) => unblockedInChain(slice, bounds) ?? overfullInChain(slice, bounds, true),
};
