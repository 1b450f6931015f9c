import type { OverAdmissionDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { risen } from '../rising.ts';

/**
 * A request was admitted although N attempts, refused ones included, certainly lay within the last W before it. The proof uses
 * only attempts that were certainly made; others can only strengthen it.
 */
export function admittedAmongAttempts(slice: Slice, { max, shortUs }: Bounds): OverAdmissionDraft | undefined {
  if (shortUs <= 0) return undefined;
  const { from, to, part, size } = slice;
  // Without refusals these are N + 1 admitted within less than W, which the log finds.
  if (!part.includes(Part.refused)) return undefined;
  const sure = sureOf(slice);
  // Beginnings rise, and so does the number of ends below them: in this order one pass counts them.
  let ended = 0;
  for (let i = 0; i < size; i++) {
    const begin = from[i] as number;
    if (part[i] !== Part.admitted) continue;
    while (ended < sure.ends.length && (sure.ends[ended] as number) < begin) ended += 1;
    if (ended < max) continue;
    const since = (to[i] as number) - shortUs;
    // Of those that ended before it began, at most `ended − max` began before the window: so `max` of them lay within it.
    if ((sure.starts[ended - max] as number) <= since) continue;
    return draftOf(slice, i, since, max);
  }
  return undefined;
}

function draftOf({ from, to, part }: Slice, last: number, since: number, max: number): OverAdmissionDraft {
  const before: number[] = [];
  for (let k = last - 1; k >= 0 && before.length < max && (from[k] as number) > since; k--)
    if (isSure(part[k]) && (to[k] as number) < (from[last] as number)) before.push(k);
  return {
    rule: 'sliding-log-attempts',
    because: 'over-admission',
    observed: max + 1,
    possible: max,
    positions: [...before.reverse(), last],
  };
}

const isSure = (part: number | undefined) => part === Part.admitted || part === Part.refused;

/** Beginnings and ends of all attempts that were certainly made, each list rising. */
function sureOf({ from, to, part, size }: Slice) {
  const [starts, ends] = [new Float64Array(size), new Float64Array(size)];
  let count = 0;
  for (let i = 0; i < size; i++) {
    if (!isSure(part[i])) continue;
    starts[count] = from[i] as number;
    ends[count] = to[i] as number;
    count += 1;
  }
  return { starts: starts.subarray(0, count), ends: risen(ends.subarray(0, count)) };
}
