import type { Admitted } from './admitted.ts';

/**
 * Removes attempts until the rule "more than `most(span)` decided within a span" needs each of the rest. Removing outermost
 * attempts shortens the span, and with it what is possible.
 * @param members indices that satisfy the rule, at least one
 * @param most how many fit into a span of so many µs; does not fall as the span grows
 */
export function irreducible(
  admitted: Admitted,
  members: readonly number[],
  most: (spanUs: number) => number,
): readonly number[] {
  let kept = members;
  for (;;) {
    const spared = sparable(admitted, kept, most);
    if (spared === undefined) return kept;
    kept = kept.filter((_, i) => i !== spared);
  }
}

/** Three are worth trying: the first, the last, and any other (all others leave the span as it is). */
function sparable(
  admitted: Admitted,
  members: readonly number[],
  most: (spanUs: number) => number,
): number | undefined {
  const from = (i: number) => admitted.from[members[i] as number] as number;
  const to = (i: number) => admitted.to[members[i] as number] as number;
  let first = 0;
  let last = 0;
  for (let i = 1; i < members.length; i++) {
    if (from(i) < from(first)) first = i;
    if (to(i) > to(last)) last = i;
  }
  const other = members.findIndex((_, i) => i !== first && i !== last);
  const fewer = members.length - 1;
  return [first, last, other].find((i) => i >= 0 && fewer > 0 && fewer > most(spanOf(admitted, members, i)));
}

/** From the first beginning to the last end. @param without index of a member to leave out */
export function spanOf({ from, to }: Admitted, members: readonly number[], without = -1): number {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  members.forEach((member, i) => {
    if (i === without) return;
    first = Math.min(first, from[member] as number);
    last = Math.max(last, to[member] as number);
  });
  return last - first;
}
