import type { Micros } from '../../base/index.ts';

/** Instants in ascending order. */
export type Log = Micros[];

/** Number of instants at or before `at`. */
export function countUntil(log: readonly Micros[], at: number): number {
  let low = 0;
  let high = log.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((log[middle] ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Appends an instant. Only the last `kept` are needed; older ones are removed in batches, because removing one from the front of
 * a long array at each request would be slow.
 */
export function append(log: Log, at: Micros, kept: number): Log {
  if (log.length >= 2 * kept) log.splice(0, log.length - kept + 1);
  log.push(at);
  return log;
}
