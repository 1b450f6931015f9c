import type { OverAdmissionDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import { risingCopy } from '../rising.ts';
import { admittedOf } from './admitted.ts';

/**
 * Windows that begin with a request, if none had begun before the run and nobody else sends requests: the first began no earlier
 * than the first request was sent, and each other one at least a window after its predecessor. So by the end of the k-th window
 * at most k·N can have been admitted, however they are distributed.
 */
export function admittedSince(slice: Slice, bounds: Bounds): OverAdmissionDraft | undefined {
  const firstUs = slice.from[0] ?? Number.NEGATIVE_INFINITY;
  if (!slice.whole || !Number.isFinite(firstUs)) return undefined;
  return moreThanBegan(slice, bounds, firstUs, 'fixed-window-anchored-since');
}

/** @param firstUs no window can have begun earlier */
export function moreThanBegan(
  slice: Slice,
  { max, shortUs, refusals }: Bounds,
  firstUs: number,
  rule: OverAdmissionDraft['rule'],
): OverAdmissionDraft | undefined {
  if (!refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  const admitted = admittedOf(slice);
  const ends = admitted.agreeable ? admitted.to : risingCopy(admitted.to);
  for (let count = max; count < ends.length; count += max) {
    if ((ends[count] as number) - firstUs >= (count / max) * shortUs) continue;
    const byEnd = [...admitted.to.keys()].sort((a, b) => (admitted.to[a] as number) - (admitted.to[b] as number));
    const members = byEnd.slice(0, count + 1);
    const positions = members.map((i) => admitted.position[i] as number).sort((a, b) => a - b);
    return { rule, because: 'over-admission', observed: count + 1, possible: count, positions };
  }
  return undefined;
}
