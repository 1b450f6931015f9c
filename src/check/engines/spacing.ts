import type { Admitted } from './admitted.ts';

/** A stretch of attempts, indices first..last, all within [from of first, end of last]. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/**
 * The first stretch in which a log of N per window is overfull: more than N(⌊(b − a) / W⌋ + 1) attempts within [a, b] (limits.md
 * 5.1 b). Schedules each attempt as early as possible, d_k = max(s_k, d_{k−1}, d_{k−N} + W), until one misses its end, and traces
 * back what delayed it. Exact if ends rise with beginnings.
 * @param agreeable attempts whose ends rise: `relaxed` or `unnested`; with nested ones the schedule would accuse falsely
 */
export function crowdedLog(agreeable: Admitted, max: number, windowUs: number): Stretch | undefined {
  const { from, to, size } = agreeable;
  const earliest = new Float64Array(size);
  for (let k = 0; k < size; k++) {
    const freed = k >= max ? (earliest[k - max] as number) + windowUs : Number.NEGATIVE_INFINITY;
    const after = k > 0 ? (earliest[k - 1] as number) : Number.NEGATIVE_INFINITY;
    const decided = Math.max(from[k] as number, after, freed);
    earliest[k] = decided;
    if (decided > (to[k] as number)) return { first: cause(agreeable, earliest, k, max, windowUs), last: k };
  }
  return undefined;
}

/** Traces back from a late attempt to the one that began at its own instant. */
function cause(agreeable: Admitted, earliest: Float64Array, late: number, max: number, windowUs: number): number {
  let k = late;
  while ((earliest[k] as number) > (agreeable.from[k] as number)) {
    const freed = k >= max ? (earliest[k - max] as number) + windowUs : Number.NEGATIVE_INFINITY;
    k = freed === earliest[k] ? k - max : k - 1;
  }
  return k;
}

/**
 * The first stretch with more than B + (b − a + slack) / T attempts within [a, b], for a bucket of `capacity` that regains a
 * token each `tokenUs` (limits.md 5.2): the bucket's own recurrence with every attempt as early as possible.
 * @param agreeable as in `crowdedLog`
 * @param slackUs how much longer a span may look to the service
 */
export function overdrawnBucket(
  agreeable: Admitted,
  capacity: number,
  tokenUs: number,
  slackUs: number,
): Stretch | undefined {
  const { from, to, size } = agreeable;
  const allowance = (capacity - 1) * tokenUs + slackUs;
  let next = Number.NEGATIVE_INFINITY;
  let first = 0;
  for (let k = 0; k < size; k++) {
    if ((from[k] as number) >= next) {
      next = from[k] as number;
      first = k;
    }
    if (next > (to[k] as number) + allowance) return { first, last: k };
    next += tokenUs;
  }
  return undefined;
}

export const indicesOf = ({ first, last }: Stretch): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);
