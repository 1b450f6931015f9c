import type { Judged } from '../reading.ts';

/**
 * The messages sent to one bucket of the concurrency limit, and the turns that they became. Positions below `size` are messages,
 * rising in `from`; the following ones are polls that prove that a turn was in process. Times are service µs since run time 0.
 */
export interface TurnSlice extends Judged {
  readonly size: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly part: Uint8Array;
  readonly row: Uint32Array;
  /**
   * How long the message may have held a slot if slots are released in time: until its turn was first seen finished; until its
   * answer if it cannot have become a turn; +∞ if nobody saw an end. −∞ for refused messages: they hold none.
   */
  readonly until: Float64Array;
  /** Like `from`; for turns that were seen waiting, the earliest instant at which they may have been in process. */
  readonly workFrom: Float64Array;
  /** When turns were certainly open (`open`) or in process (`working`). */
  readonly open: Cores;
  readonly working: Cores;
}

/** Open intervals (from, to) in which a slot was certainly taken, rising in `from`. */
export interface Cores {
  readonly size: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Positions of the exchanges that prove it; the message comes first. */
  readonly proof: readonly (readonly number[])[];
}
