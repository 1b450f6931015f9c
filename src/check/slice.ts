/**
 * What an attempt was to one limit.
 * `admitted`: the limit surely let it through, and it surely counts. `refused`: a 429 that can only be this limit's.
 * `ambiguous`: a 429 that may be this limit's or another's: it may have been refused here, or have counted here.
 * `maybe`: it may have counted; nobody knows (no answer, an error whose place before or behind the limit is unknown, a
 * refusal by another limit, a doubtful record).
 */
export const Part = { admitted: 0, refused: 1, maybe: 2, ambiguous: 3 } as const;
export type Part = (typeof Part)[keyof typeof Part];

/** Whose attempts they are. Labels of the journal; a member that is absent does not divide the attempts. */
export interface ScopeLabels {
  readonly application?: string;
  readonly user?: string;
  readonly token?: string;
  readonly conversation?: string;
  readonly operation?: string;
}

/**
 * The attempts that one bucket of a limit may have seen: what every reading judges. The decision on attempt i lies within
 * [from[i], to[i]], service µs since run time 0 (`Timeline.at`). −∞ and +∞ occur, for `maybe` only.
 */
export interface Slice {
  readonly size: number;
  /** Ascending. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** A `Part` each. */
  readonly part: Uint8Array;
  /** Row of the evidence. */
  readonly row: Uint32Array;
  readonly scope: ScopeLabels;
  /** Whether everything that may have counted in the bucket is here; else the bucket may hold more. Default false. */
  readonly whole?: boolean;
}
