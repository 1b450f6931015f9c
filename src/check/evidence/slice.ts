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
