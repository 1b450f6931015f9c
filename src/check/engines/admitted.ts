import { rememberedFor } from '../evidence/remembered.ts';
import { Part, type Slice } from '../evidence/slice.ts';

/** Some admitted attempts of a slice, in their own columns. */
export interface Admitted {
  readonly size: number;
  /** Rising. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Positions in the slice, rising. */
  readonly position: Uint32Array;
  /** Whether ends rise with beginnings, so that no interval contains another. */
  readonly agreeable: boolean;
}

export const admittedOf = rememberedFor(({ from, to, part, size: all }: Slice): Admitted => {
  let size = 0;
  for (let i = 0; i < all; i++) if (part[i] === Part.admitted) size += 1;
  const kept = { from: new Float64Array(size), to: new Float64Array(size), position: new Uint32Array(size) };
  let agreeable = true;
  for (let i = 0, at = 0; at < size; i++) {
    if (part[i] !== Part.admitted) continue;
    const end = to[i] as number;
    if (at > 0 && end < (kept.to[at - 1] as number)) agreeable = false;
    kept.from[at] = from[i] as number;
    kept.to[at] = end;
    kept.position[at] = i;
    at += 1;
  }
  return { size, from: kept.from, to: kept.to, position: kept.position, agreeable };
});

/**
 * The same attempts, with later ends where intervals are nested: r'_k = max over j ≤ k of r_j. Then ends rise with beginnings,
 * which makes greedy scheduling exact. Intervals only become wider, so what is impossible for these is impossible (limits.md
 * 5.1).
 */
export function relaxed(admitted: Admitted): Admitted {
  if (admitted.agreeable) return admitted;
  const to = admitted.to.slice();
  for (let i = 1; i < to.length; i++) to[i] = Math.max(to[i] as number, to[i - 1] as number);
  return { ...admitted, to, agreeable: true };
}

/**
 * Only the attempts whose interval contains no other's: one long interval would widen all after it. Leaving admitted attempts out
 * is sound, too: a limiter that admitted all of them admitted these.
 */
export function unnested(admitted: Admitted): Admitted {
  if (admitted.agreeable) return admitted;
  const { size, from, to, position } = admitted;
  const kept = { from: new Float64Array(size), to: new Float64Array(size), position: new Uint32Array(size) };
  let first = size;
  let earliestEnd = Number.POSITIVE_INFINITY;
  for (let i = size - 1; i >= 0; i--) {
    const end = to[i] as number;
    if (end > earliestEnd) continue;
    earliestEnd = end;
    first -= 1;
    kept.from[first] = from[i] as number;
    kept.to[first] = end;
    kept.position[first] = position[i] as number;
  }
  return {
    size: size - first,
    from: kept.from.subarray(first),
    to: kept.to.subarray(first),
    position: kept.position.subarray(first),
    agreeable: true,
  };
}
