/**
 * What an attempt means for one limit. `admitted`: the limit certainly let it through, and it certainly counts. `refused`: a 429
 * that can only be this limit's. `ambiguous`: a 429 of this limit or of another, where it may have counted here. `maybe`: unknown
 * whether it counted (no answer, an error that may come before or after the limit, a refusal by another limit, a doubtful
 * record).
 */
export const Part = { admitted: 0, refused: 1, maybe: 2, ambiguous: 3 } as const;
export type Part = (typeof Part)[keyof typeof Part];

/** Whether it is a 429 that this limit sent, or may have sent. */
export const isRefusal = (part: number | undefined): boolean => part === Part.refused || part === Part.ambiguous;

/** Whose attempts they are, as labels of the journal. An absent member does not divide the attempts. */
export interface ScopeLabels {
  readonly application?: string;
  readonly user?: string;
  readonly token?: string;
  readonly conversation?: string;
  readonly operation?: string;
}

/**
 * The attempts that one bucket of a limit may have seen; every reading judges such a slice. The decision on attempt i lies within
 * [from[i], to[i]], service µs since run time 0 (`Timeline.at`). −∞ and +∞ occur for `maybe` only.
 */
export interface Slice {
  readonly size: number;
  /** Sorted, rising. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** A `Part` per attempt. */
  readonly part: Uint8Array;
  /** Row of the evidence. */
  readonly row: Uint32Array;
  readonly scope: ScopeLabels;
  /** Whether everything that may have counted in the bucket is included. Default false: the bucket may have seen more. */
  readonly whole?: boolean;
}

/**
 * The attempts of a slice that may have been decided before an instant; `undefined` if there are none. A refusal that may have been decided later, after attempts
 * that are left out, counts as an attempt of which nothing is known.
 */
export function sliceBefore(slice: Slice, endUs: number): Slice | undefined {
  const size = slice.from.findIndex((from) => from >= endUs);
  if (size === -1) return slice;
  if (size === 0) return undefined;
  const to = slice.to.subarray(0, size);
  return {
    ...slice,
    size,
    from: slice.from.subarray(0, size),
    to,
    part: slice.part
      .subarray(0, size)
      .map((part, i) => (part !== Part.admitted && (to[i] as number) >= endUs ? Part.maybe : part)),
    row: slice.row.subarray(0, size),
  };
}
