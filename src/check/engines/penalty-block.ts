import type { OverAdmissionDraft } from '../certificates/draft.ts';
import { type Bounds, backUs } from '../evidence/bounds.ts';
import { floatsWhere } from '../evidence/columns.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { risen } from '../rising.ts';
import { type Admitted, admittedOf } from './admitted.ts';
import { countBelow, countUpTo, type Spans } from './counted.ts';

/**
 * Where the first refusal blocks for a window: an admission, a refusal and another admission, certainly in this order, of which the
 * last came less than W after the earliest refusal that there can have been since the first.
 *
 * Of the refusals since the first admission, one was decided first. No block was in force when that admission was decided, and only
 * refusals set blocks; so that refusal was not blocked, and set one. Whether later ones extend it, and whether what is refused
 * counts in the window, is indifferent: nothing is admitted for W after it. The refusal named here is this one or a later one, so the
 * admission after it is later than both, and would have to be W later than the first.
 *
 * If the clock may seem to go back, a block that was over at the first admission may refuse again soon after it, without setting
 * another. A refusal that is so much later that this cannot be was not blocked by it: then it, or one since the admission, set one.
 *
 * Only in a bucket that is completely known: else a refusal of somebody else's, not known here, may have come first.
 */
export function admittedWhileBlocked(slice: Slice, bounds: Bounds): OverAdmissionDraft | undefined {
  const { shortUs, refusals } = bounds;
  if (!slice.whole || !refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  if (!slice.part.includes(Part.refused)) return undefined;
  const admitted = admittedOf(slice);
  const lastBefore = lastToBegin(admitted);
  const firstAfter = firstToEnd(admitted);
  const mayBeRefused = othersIn(slice);
  const back = backUs(bounds);
  for (let i = 0; i < slice.size; i++) {
    if (slice.part[i] !== Part.refused) continue;
    const before = lastBefore((slice.from[i] as number) - back);
    const after = firstAfter(slice.to[i] as number);
    if (before === undefined || after === undefined) continue;
    const blockedFrom = earliestSince(mayBeRefused, admitted.from[before] as number);
    if ((admitted.to[after] as number) - blockedFrom >= shortUs) continue;
    const positions = [admitted.position[before] as number, i, admitted.position[after] as number];
    return { rule: 'fixed-window-penalty-block', because: 'inconsistent', observed: 3, possible: 2, positions };
  }
  return undefined;
}

/** Everything that may have been refused: all but admissions. */
function othersIn({ from, to, part }: Slice): Spans {
  const isOther = (i: number) => part[i] !== Part.admitted;
  return { starts: floatsWhere(from, isOther), ends: risen(floatsWhere(to, isOther)) };
}

/** The earliest instant, from `sinceUs` on, at which one of them can have been decided. */
function earliestSince({ starts, ends }: Spans, sinceUs: number): number {
  const begun = countUpTo(starts, sinceUs);
  if (begun > countBelow(ends, sinceUs)) return sinceUs;
  return starts[begun] ?? Number.POSITIVE_INFINITY;
}

/** For an instant: of the admissions that were certainly decided before it, the one that was sent last. */
function lastToBegin({ from, to, size }: Admitted): (instant: number) => number | undefined {
  const order = Uint32Array.from(to.keys()).sort((a, b) => (to[a] as number) - (to[b] as number));
  const ends = Float64Array.from(order, (i) => to[i] as number);
  const last = new Uint32Array(size);
  for (let k = 0; k < size; k++) {
    const [one, other] = [order[k] as number, last[k - 1] ?? (order[k] as number)];
    last[k] = (from[one] as number) >= (from[other] as number) ? one : other;
  }
  return (instant) => last[countBelow(ends, instant) - 1];
}

/** For an instant: of the admissions that were sent after it, the one that was certainly decided first. */
function firstToEnd({ from, to, size }: Admitted): (instant: number) => number | undefined {
  const first = new Uint32Array(size);
  for (let k = size - 1; k >= 0; k--) {
    const other = first[k + 1] ?? k;
    first[k] = (to[other] as number) < (to[k] as number) ? other : k;
  }
  return (instant) => first[countUpTo(from, instant)];
}
