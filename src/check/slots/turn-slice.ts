import type { Judged } from '../reading.ts';

/**
 * The messages sent to one bucket of the concurrency limit, and the turns that they became. Positions below `size` are
 * messages, rising in `from`; those behind are polls that prove that a turn went on. Times are service µs since run time 0.
 */
export interface TurnSlice extends Judged {
  readonly size: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly part: Uint8Array;
  readonly row: Uint32Array;
  /**
   * How long the message may have held a slot, releases in time supposed: until its turn was first seen finished; until its
   * answer where it can have become no turn; +∞ where nobody saw an end. Of refused ones, −∞: they hold none.
   */
  readonly until: Float64Array;
  /** As `from`, but of turns that were seen waiting: since when they may have been in process. */
  readonly workFrom: Float64Array;
  /** Turns that were surely open, or surely in process, between two instants. */
  readonly open: Cores;
  readonly working: Cores;
}

/** Open intervals (from, to) in which a slot was surely taken, rising in `from`. */
export interface Cores {
  readonly size: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Positions of the exchanges that prove it: the message first. */
  readonly proof: readonly (readonly number[])[];
}
