/** Everything of a history that may have counted in one bucket of the rate limit, in columns: there may be millions. */
export interface Rivals {
  readonly size: number;
  /** Service µs since run time 0. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** 1: surely refused by the same limit, so that it counts only where refusals do. */
  readonly refused: Uint8Array;
  /** 1: surely admitted; anything else may have been refused. */
  readonly admitted: Uint8Array;
  /** Where an attempt of the history (`RawAttempt.index`) stands among them; −1: nowhere. */
  readonly indexOf: (attempt: number) => number;
  /** Which attempt of the history one of them is. */
  readonly attemptAt: (index: number) => number;
}
