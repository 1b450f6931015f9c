import type { Plan } from '../../plan/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import { PENDING_BYTES } from '../caps/pending.ts';
import { rateBytes } from './rate.ts';
import { SLOT_CELLS } from './slots.ts';

/**
 * What the workers of one run share: plain memory, so that it can be passed to threads. An unlimited cap has none. A worker that
 * dies while it holds a slot keeps it: its death ends the run.
 */
export interface RunShares {
  readonly openTurns?: SharedArrayBuffer;
  readonly requestsPerMinute?: SharedArrayBuffer;
  readonly inFlight?: SharedArrayBuffer;
  /** Requests that hold no slot yet (see `PendingRequests`). */
  readonly pending: SharedArrayBuffer;
  /** Iterations taken from each stock, by its number. */
  readonly stocks: SharedArrayBuffer;
}

export function runShares({ openTurns, requestsPerMinute, inFlight }: Scenario['caps'], { loops }: Plan): RunShares {
  const slots = () => new SharedArrayBuffer(SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT);
  const stocks = loops.reduce((most, { stock }) => Math.max(most, (stock?.number ?? -1) + 1), 0);
  return {
    ...(openTurns === undefined ? {} : { openTurns: slots() }),
    ...(inFlight === undefined ? {} : { inFlight: slots() }),
    ...(requestsPerMinute === undefined
      ? {}
      : { requestsPerMinute: new SharedArrayBuffer(rateBytes(requestsPerMinute)) }),
    pending: new SharedArrayBuffer(PENDING_BYTES),
    stocks: new SharedArrayBuffer(stocks * Int32Array.BYTES_PER_ELEMENT),
  };
}

/** Counts the iterations of each stock over all workers: 0, 1, … */
export function sharedIterations({ stocks }: RunShares): (stock: number) => number {
  const taken = new Int32Array(stocks);
  return (stock) => Atomics.add(taken, stock, 1);
}
