import type { Admitted } from './admitted.ts';
import { SmallestLast } from './smallest-last.ts';

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
 * certainly decided, if that is less than `withinUs`. Keeps the `size` smallest ends in a heap, with i falling (limits.md 5.1 a).
 * O(n log size).
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
  const { from, to } = admitted;
  // The smallest ends, as the largest of their negatives.
  const ends = new SmallestLast(size);
  let some = false;
  for (let i = admitted.size - 1; i >= 0; i--) {
    ends.add(-(to[i] as number));
    // Attempts with equal beginnings belong together: only the first of them sees all.
    const last = i === 0 || from[i - 1] !== from[i];
    const end = -ends.smallest;
    if (!last || end - (from[i] as number) >= withinUs) continue;
    some = true;
    if (found(i, end)) break;
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
