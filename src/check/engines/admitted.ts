import { Part, type Slice } from '../slice.ts';

/** Some of the admitted attempts of a slice, as columns of their own. */
export interface Admitted {
  readonly size: number;
  /** Rising. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Positions in the slice, rising. */
  readonly position: Uint32Array;
}

const memo = new WeakMap<Slice, Admitted>();

export function admittedOf(slice: Slice): Admitted {
  const known = memo.get(slice);
  if (known) return known;
  const position = Uint32Array.from(slice.part.keys()).filter((i) => slice.part[i] === Part.admitted);
  const admitted = take(slice, position);
  memo.set(slice, admitted);
  return admitted;
}

const take = (slice: Slice, position: Uint32Array): Admitted => ({
  size: position.length,
  from: Float64Array.from(position, (i) => slice.from[i] as number),
  to: Float64Array.from(position, (i) => slice.to[i] as number),
  position,
});

/**
 * The same attempts with later ends where intervals nest: r'_k = max over j ≤ k of r_j. Ends rise with beginnings then, which
 * makes greedy scheduling exact; and intervals only widen, so what is impossible for these is impossible (limits.md 5.1).
 */
export function relaxed(admitted: Admitted): Admitted {
  const to = admitted.to.slice();
  for (let i = 1; i < to.length; i++) to[i] = Math.max(to[i] as number, to[i - 1] as number);
  return { ...admitted, to };
}

/**
 * Without the attempts whose interval holds another's: one that was under way for long would widen all after it. Leaving
 * admitted attempts out is sound, too: a limiter that admitted all of them admitted these.
 */
export function unnested(admitted: Admitted): Admitted {
  const keep: number[] = [];
  let earliestEnd = Number.POSITIVE_INFINITY;
  for (let i = admitted.size - 1; i >= 0; i--) {
    const end = admitted.to[i] as number;
    if (end > earliestEnd) continue;
    earliestEnd = end;
    keep.push(i);
  }
  keep.reverse();
  return {
    size: keep.length,
    from: Float64Array.from(keep, (i) => admitted.from[i] as number),
    to: Float64Array.from(keep, (i) => admitted.to[i] as number),
    position: Uint32Array.from(keep, (i) => admitted.position[i] as number),
  };
}
