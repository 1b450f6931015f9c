import type { Admitted } from './admitted.ts';

/** A set of attempts, `size` of them, all decided within [from, to]. */
export interface Crowd {
  readonly from: number;
  readonly to: number;
  /** Indices into the admitted attempts it was found among. */
  readonly members: readonly number[];
}

/**
 * For every attempt i, the shortest time from its beginning in which `size` attempts that began no earlier were surely
 * decided: a max-heap of the `size` smallest ends, i falling (limits.md 5.1 a). O(n log size).
 * @param found called with i and that end, whenever there are enough; returns true to stop
 */
export function crowds(admitted: Admitted, size: number, found: (index: number, to: number) => boolean): void {
  const heap: number[] = [];
  const { from, to } = admitted;
  for (let i = admitted.size - 1; i >= 0; i--) {
    const end = to[i] as number;
    if (heap.length < size) push(heap, end);
    else if (end < (heap[0] as number)) replaceTop(heap, end);
    // Equal beginnings belong together: only the first of them sees all.
    const last = i === 0 || from[i - 1] !== from[i];
    if (last && heap.length === size && found(i, heap[0] as number)) return;
  }
}

/** `size` attempts that began no earlier than attempt `index`, those that ended first, itself among them if it can be. */
export function crowdFrom(admitted: Admitted, index: number, to: number, size: number): Crowd {
  const members: number[] = [];
  for (let i = index; i < admitted.size && members.length < size; i++)
    if ((admitted.to[i] as number) <= to) members.push(i);
  return { from: admitted.from[index] as number, to, members };
}

/** The first crowd of `size` that fits into less than `withinUs`. */
export function tightCrowd(admitted: Admitted, size: number, withinUs: number): Crowd | undefined {
  let crowd: Crowd | undefined;
  crowds(admitted, size, (index, to) => {
    if (to - (admitted.from[index] as number) >= withinUs) return false;
    crowd = crowdFrom(admitted, index, to, size);
    return true;
  });
  return crowd;
}

function push(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if ((heap[parent] as number) >= value) break;
    heap[at] = heap[parent] as number;
    at = parent;
  }
  heap[at] = value;
}

function replaceTop(heap: number[], value: number): void {
  const size = heap.length;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && (heap[child + 1] as number) > (heap[child] as number)) child += 1;
    if ((heap[child] as number) <= value) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = value;
}
