import type { Admitted } from './admitted.ts';
import { Line } from './line.ts';

/**
 * Removes attempts until the rule "more than `most(span)` decided within a span" needs each of the rest. Removing outermost
 * attempts shortens the span, and with it what is possible. Three are worth trying: the first to begin, the last to end, and any
 * other, because all others leave the span as it is. O(n log n), for the two orders in which these are found.
 * @param members indices that satisfy the rule, at least one
 * @param most how many fit into a span of so many µs; does not fall as the span grows
 */
export function irreducible(
  { from, to }: Admitted,
  members: readonly number[],
  most: (spanUs: number) => number,
): readonly number[] {
  const begin = (i: number) => from[members[i] as number] as number;
  const end = (i: number) => to[members[i] as number] as number;
  const all = Uint32Array.from(members.keys());
  const kept = new Line(all);
  const byBegin = new Line(all.toSorted((a, b) => begin(a) - begin(b) || a - b));
  const byEnd = new Line(all.toSorted((a, b) => end(b) - end(a) || a - b));
  const spanWithout = (i: number) => end(byEnd.firstBut(i) as number) - begin(byBegin.firstBut(i) as number);
  for (let fewer = members.length - 1; fewer > 0; fewer--) {
    const [first, last] = [byBegin.firstBut(), byEnd.firstBut()];
    const spared = [first, last, kept.firstBut(first, last)].find(
      (i) => i !== undefined && fewer > most(spanWithout(i)),
    );
    if (spared === undefined) break;
    for (const line of [kept, byBegin, byEnd]) line.remove(spared);
  }
  return members.filter((_, i) => kept.has(i));
}

/** From the first beginning to the last end. */
export function spanOf({ from, to }: Admitted, members: readonly number[]): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const member of members) {
    first = Math.min(first, from[member] as number);
    last = Math.max(last, to[member] as number);
  }
  return last - first;
}
