/** When a request was decided, whole numbers. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Windows of `max` that begin with a request and last from `shortUs` to `longUs`, whole numbers. */
export interface Windows {
  readonly max: number;
  readonly shortUs: number;
  readonly longUs: number;
}

/**
 * Position of the first request that no window can hold and that can begin none, tried with every whole instant of every request;
 * −1 if there is none. The requests are decided in the order of the list.
 */
export function firstUnplaceable(requests: readonly Interval[], { max, shortUs, longUs }: Windows): number {
  // What may be so after a request: when it was decided, when its window began, and how many that window holds.
  let ways: readonly (readonly [at: number, begun: number, held: number])[] = [
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, max],
  ];
  for (const [i, { from, to }] of requests.entries()) {
    const next = new Map<string, readonly [number, number, number]>();
    const add = (...way: readonly [number, number, number]) => next.set(way.join(), way);
    for (const [before, begun, held] of ways)
      for (let at = Math.max(before, from); at <= to; at++) {
        if (held < max && at <= begun + longUs) add(at, begun, held + 1);
        if (at >= begun + shortUs) add(at, at, 1);
      }
    if (next.size === 0) return i;
    ways = [...next.values()];
  }
  return -1;
}

/** In the order of their beginnings, and of their ends where those are equal; each no sooner over than the one before. */
export function inOneOrder<T extends Interval>(requests: readonly T[]): T[] {
  let latest = Number.NEGATIVE_INFINITY;
  return requests
    .toSorted((a, b) => a.from - b.from || a.to - b.to)
    .map((one) => {
      latest = Math.max(latest, one.to);
      return { ...one, to: latest };
    });
}
