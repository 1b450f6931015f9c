import type { ArcsDraft, Draft } from '../certificates/draft.ts';
import { overfullInChain, refusedInChain, unblockedInChain } from '../engines/chain.ts';
import { firstRefusal, neverFirst } from '../engines/first-refused.ts';
import { unfitting } from '../engines/fit.ts';
import { lastWindowRefusal, unexplainedByLastWindow } from '../engines/last-window.ts';
import { admittedWhileBlocked } from '../engines/penalty-block.ts';
import { placementConflict } from '../engines/placement.ts';
import { admittedSince } from '../engines/since.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
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
  numbers: 'window',
  aliases: ['fixed-window-first-request', 'fixed-window-from-first-request'],
  describe: (bounds, whose) => `a fixed window of ${perWindow(bounds, whose)} that begins with its first request`,
  overAdmission,
  unexplained: unexplainedByLastWindow,
  wrongfulRefusal: lastWindowRefusal,
  inconsistent: (slice, bounds) =>
    refusedInChain(slice, bounds) ?? overfullInChain(slice, bounds, false) ?? unfitting(slice, bounds),
};

/**
 * Like `fixedWindowAnchored`, and a refusal blocks for W; in some implementations each further one blocks anew. So a refusal is
 * explained by N counted in the last W, or by an explained refusal within the last W.
 */
export const fixedWindowPenalty: Reading<Slice> = {
  name: 'fixed-window-penalty',
  numbers: 'window',
  aliases: ['fixed-window-block'],
  describe: (bounds, whose) =>
    `a fixed window of ${perWindow(bounds, whose)} whose first refusal blocks for a whole window`,
  overAdmission,
  unexplained: (slice, bounds) => neverFirst(slice, bounds, 1),
  wrongfulRefusal: (slice, bounds, position) =>
    firstRefusal(slice, bounds, position, { rule: 'wrongful-refusal-penalty', windows: 1 }),
  inconsistent: (slice, bounds) =>
    unblockedInChain(slice, bounds) ?? overfullInChain(slice, bounds, true) ?? admittedWhileBlocked(slice, bounds),
  inconsistentForAnyNumber: admittedWhileBlocked,
};
