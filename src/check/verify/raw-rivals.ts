import type { Decided } from './raw.ts';

/** Everything in a history that may have counted in one bucket of the rate limit, in columns: there may be millions. */
export interface Rivals {
  readonly size: number;
  /** Service µs since run time 0. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** 1: certainly refused by the same limit, so it counts only if refusals do. */
  readonly refused: Uint8Array;
  /** 1: certainly admitted; anything else may have been refused. */
  readonly admitted: Uint8Array;
  /** Index among the rivals of an attempt of the history (`RawAttempt.index`); −1 if it is none. */
  readonly indexOf: (attempt: number) => number;
  /** The attempt of the history behind a rival. */
  readonly attemptAt: (index: number) => number;
}

/** A refusal: when it was decided, and its index among the rivals. */
export interface Refused extends Decided {
  readonly index: number;
}
