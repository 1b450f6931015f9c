import type { OverAdmissionDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { floatsOf } from '../evidence/columns.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { type Admitted, admittedOf, relaxed } from './admitted.ts';
import { countBelow } from './counted.ts';

/**
 * Windows that begin with a request, in a bucket that is completely known and was empty at the start: whether the admitted requests
 * fit into windows at all. Each either began a window or was admitted in the one before it; a request near the end of a window may
 * have done either, and all ways to choose are followed (limits.md 5.3). Exact for intervals that do not contain one another.
 * @returns admitted requests of which the last fits nowhere; the first certainly began a window
 */
export function unfitting(slice: Slice, bounds: Bounds): OverAdmissionDraft | undefined {
  const { shortUs, refusals } = bounds;
  if (!slice.whole || !refusals.provable || !refusals.flushed || shortUs <= 0) return undefined;
  const admitted = inOrder(slice);
  const run = unfittingRun(admitted, countBelow(admitted.to, unknownFrom(slice)), bounds);
  if (!run) return undefined;
  const positions = [...admitted.position.subarray(run.first, run.last + 1)].sort((a, b) => a - b);
  const observed = positions.length;
  return { rule: 'fixed-window-anchored-fit', because: 'over-admission', observed, possible: observed - 1, positions };
}

/** Of those that begin together, the first to end come first: so no other order widens intervals less. */
const inOrder = rememberedFor((slice: Slice): Admitted => {
  const admitted = admittedOf(slice);
  if (admitted.agreeable) return admitted;
  const [from, to] = [admitted.from, admitted.to];
  const order = Uint32Array.from(from.keys()).sort(
    (a, b) => (from[a] as number) - (from[b] as number) || (to[a] as number) - (to[b] as number),
  );
  const ends = floatsOf(order.length, (i) => to[order[i] as number] as number);
  const position = order.map((i) => admitted.position[i] as number);
  return relaxed({ ...admitted, to: ends, position });
});

/** From when on something may have counted, or begun a window, of which that is not certain. */
function unknownFrom({ part, from, size }: Slice): number {
  for (let i = 0; i < size; i++) if (part[i] !== Part.admitted && part[i] !== Part.refused) return from[i] as number;
  return Number.POSITIVE_INFINITY;
}

/** @param known how many of them were decided before anything unknown was */
function unfittingRun({ from, to }: Admitted, known: number, { max, shortUs, longUs }: Bounds) {
  /** When a window can have begun with the i-th at the earliest. */
  const earliest = new Float64Array(known);
  /** Requests whose window may be open; `earliest` of the first is the least, because it rises with them. */
  const open: number[] = [];
  let [head, first] = [0, 0];
  for (let last = 0; last < known; last++) {
    const sentUs = from[last] as number;
    const holds = open[head];
    const begins = holds === undefined ? sentUs : Math.max(sentUs, (earliest[holds] as number) + shortUs);
    if (last > 0 && (to[last - 1] as number) < sentUs - longUs) first = last;
    if (begins <= (to[last] as number)) {
      earliest[last] = begins;
      open.push(last);
    }
    const isOver = (begun: number) => begun <= last - max || (to[begun] as number) < sentUs - longUs;
    while (head < open.length && isOver(open[head] as number)) head += 1;
    // Otherwise one that is not named may have begun the first window.
    if (head === open.length) return (to[first] as number) < sentUs ? { first, last } : undefined;
  }
  return undefined;
}
