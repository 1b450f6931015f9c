import type { WrongfulRefusalDraft } from '../certificates/draft.ts';
import { countedOf } from '../engines/counted.ts';
import { firstRefusal, neverFirstOfFew } from '../engines/first-refused.ts';
import { mostWithin, refusalAfter, unexplainedByLastWindow } from '../engines/last-window.ts';
import { neededIn } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { union } from '../rising.ts';

type Rule = WrongfulRefusalDraft['rule'];

/** The rules by which a reading refutes refusals: too little had counted, refused requests included; or none can have been the first. */
interface Rules {
  readonly few: Rule;
  readonly first: Rule;
}

/**
 * How readings judge refusals in which refused requests may count: as wrong if fewer than N can have counted within so many windows,
 * refused ones included; or if they can have followed no refusal that had another cause.
 */
export const refusedCounted = (
  windows: 1 | 2,
  { few, first }: Rules,
): Pick<Reading<Slice>, 'unexplained' | 'wrongfulRefusal'> => ({
  unexplained: (slice, bounds) => {
    const counted = countedOf(slice, true);
    const lookBackUs = windows * bounds.longUs;
    const needed = neededIn(windows, bounds);
    // A refusal that a log explains which counts fewer requests, these explain, too.
    const afterFew = unexplainedByLastWindow(slice, bounds).filter(
      (position) => mostWithin(slice, counted, position, lookBackUs, needed) < needed,
    );
    return union(afterFew, neverFirstOfFew(slice, bounds, windows));
  },
  wrongfulRefusal: (slice, bounds, position) => {
    const lookBackUs = windows * bounds.longUs;
    const alone = { rule: few, lookBackUs, needed: neededIn(windows, bounds), refusedToo: true };
    const proof = refusalAfter(slice, position, alone);
    return proof.observed < proof.needed ? proof : firstRefusal(slice, bounds, position, { rule: first, windows });
  },
});
