import type { Bounds } from '../bounds.ts';
import type { WrongfulRefusalDraft } from '../draft.ts';
import { admittedAmongAttempts } from '../engines/attempts.ts';
import { countedOf } from '../engines/counted.ts';
import { mostWithin, refusalAfter, unexplainedByLastWindow } from '../engines/last-window.ts';
import type { Reading } from '../reading.ts';
import type { Slice } from '../slice.ts';
import { perWindow } from './describe.ts';
import { overfullLog } from './sliding-log.ts';

/** Refusals before which fewer than N attempts, refused ones included, can have been made within the last W. */
function* unexplainedByAttempts(slice: Slice, bounds: Bounds): Generator<number> {
  // A refusal is also explained here if a log that counts fewer requests explains it.
  const positions = unexplainedByLastWindow(slice, bounds);
  if (positions.length === 0) return;
  const counted = countedOf(slice, true);
  for (const position of positions)
    if (mostWithin(slice, counted, position, bounds.longUs, bounds.max) < bounds.max) yield position;
}

const refusalAmongAttempts = (slice: Slice, { longUs, max }: Bounds, position: number): WrongfulRefusalDraft =>
  refusalAfter(slice, position, {
    rule: 'wrongful-refusal-counting-refused',
    lookBackUs: longUs,
    needed: max,
    refusedToo: true,
  });

/** Admits iff fewer than N were attempted in the last W: a client that polls steadily above the rate stays locked out. */
export const slidingLogCountingRefused: Reading<Slice> = {
  name: 'sliding-log-counting-refused',
  limit: 'rate',
  numbers: 'window',
  aliases: ['sliding-log-attempts'],
  describe: (bounds, whose) => `a sliding log of ${perWindow(bounds, whose)} in which refused requests count too`,
  overAdmission: (slice, bounds) => overfullLog(slice, bounds) ?? admittedAmongAttempts(slice, bounds),
  unexplained: unexplainedByAttempts,
  wrongfulRefusal: refusalAmongAttempts,
};
