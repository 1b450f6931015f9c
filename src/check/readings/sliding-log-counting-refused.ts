import type { Bounds } from '../bounds.ts';
import type { WrongfulRefusalDraft } from '../draft.ts';
import { admittedAmongAttempts } from '../engines/attempts.ts';
import { countedOf } from '../engines/counted.ts';
import { firstRefusal, neverFirstOfFew } from '../engines/first-refused.ts';
import { mostWithin, refusalAfter, unexplainedByLastWindow } from '../engines/last-window.ts';
import type { Reading } from '../reading.ts';
import { union } from '../rising.ts';
import type { Slice } from '../slice.ts';
import { perWindow } from './describe.ts';
import { overfullLog } from './sliding-log.ts';

/**
 * Refusals before which fewer than N attempts, refused ones included, can have been made within the last W; and those of which none
 * can have been the first.
 */
function unexplainedByAttempts(slice: Slice, bounds: Bounds): readonly number[] {
  const counted = countedOf(slice, true);
  // A refusal is also explained here if a log that counts fewer requests explains it.
  const few = unexplainedByLastWindow(slice, bounds).filter(
    (position) => mostWithin(slice, counted, position, bounds.longUs, bounds.max) < bounds.max,
  );
  return union(few, neverFirstOfFew(slice, bounds, 1));
}

function refusalAmongAttempts(slice: Slice, bounds: Bounds, position: number): WrongfulRefusalDraft {
  const alone = refusalAfter(slice, position, {
    rule: 'wrongful-refusal-counting-refused',
    lookBackUs: bounds.longUs,
    needed: bounds.max,
    refusedToo: true,
  });
  if (alone.observed < alone.needed) return alone;
  return firstRefusal(slice, bounds, position, { rule: 'wrongful-first-refusal', windows: 1 });
}

/** Admits iff fewer than N were attempted in the last W: a client that polls steadily above the rate stays locked out. */
export const slidingLogCountingRefused: Reading<Slice> = {
  name: 'sliding-log-counting-refused',
  numbers: 'window',
  aliases: ['sliding-log-attempts'],
  describe: (bounds, whose) => `a sliding log of ${perWindow(bounds, whose)} in which refused requests count too`,
  overAdmission: (slice, bounds) => overfullLog(slice, bounds) ?? admittedAmongAttempts(slice, bounds),
  unexplained: unexplainedByAttempts,
  wrongfulRefusal: refusalAmongAttempts,
};
