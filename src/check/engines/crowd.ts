import type { Admitted } from './admitted.ts';

/** `size` attempts that were all decided within [from, to]. */
export interface Crowd {
  readonly from: number;
  readonly to: number;
  /** Indices into the admitted attempts that were searched. */
  readonly members: readonly number[];
}

/** Caches that there was no crowd of a size within a time: then there is no larger or tighter one either. */
const none = new WeakMap<Admitted, { readonly size: number; readonly withinUs: number }[]>();

/**
 * For each attempt i: the end of the shortest time from its beginning in which `size` attempts that began no earlier were
 * certainly decided, if that is less than `withinUs`. Uses a max-heap of the `size` smallest ends, with i falling (limits.md 5.1
 * a). O(n log size).
 * @param found called with i and that end; returns true to stop
 */
export function crowds(
  admitted: Admitted,
  size: number,
  withinUs: number,
  found: (index: number, to: number) => boolean,
): void {
  const known = none.get(admitted) ?? [];
  if (known.some((one) => one.size <= size && one.withinUs >= withinUs)) return;
  if (!mayCrowd(admitted, size, withinUs) || !search(admitted, size, withinUs, found))
    none.set(admitted, [...known, { size, withinUs }]);
}

/** Whether enough attempts began within the time: a crowd from attempt i on contains the `size`-th from there or a later one. */
function mayCrowd({ from, size: all }: Admitted, size: number, withinUs: number): boolean {
  for (let i = size - 1; i < all; i++) if ((from[i] as number) - (from[i - size + 1] as number) < withinUs) return true;
  return false;
}

/** @returns whether anything was found */
function search(
  admitted: Admitted,
  size: number,
  withinUs: number,
  found: (index: number, to: number) => boolean,
): boolean {
  const heap: number[] = [];
  const { from, to } = admitted;
  let some = false;
  for (let i = admitted.size - 1; i >= 0; i--) {
    const end = to[i] as number;
    if (heap.length < size) push(heap, end);
    else if (end < (heap[0] as number)) replaceTop(heap, end);
    // Attempts with equal beginnings belong together: only the first of them sees all.
    const last = i === 0 || from[i - 1] !== from[i];
    if (!last || heap.length < size || (heap[0] as number) - (from[i] as number) >= withinUs) continue;
    some = true;
    if (found(i, heap[0] as number)) break;
  }
  return some;
}

/** `size` attempts that began no earlier than attempt `index`: those that ended first, including itself if possible. */
export function crowdFrom(admitted: Admitted, index: number, to: number, size: number): Crowd {
  const members: number[] = [];
  for (let i = index; i < admitted.size && members.length < size; i++)
    if ((admitted.to[i] as number) <= to) members.push(i);
  return { from: admitted.from[index] as number, to, members };
}

/** The first crowd of `size` that fits into less than `withinUs`. */
export function tightCrowd(admitted: Admitted, size: number, withinUs: number): Crowd | undefined {
  let crowd: Crowd | undefined;
  crowds(admitted, size, withinUs, (index, to) => {
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
