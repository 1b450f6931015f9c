import type { Micros } from '../../base/index.ts';

/** Instants in ascending order. */
export type Log = Micros[];

/** How many of the log's instants are at or before `at`. */
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
 * Writes an instant at the end. Only the last `kept` ever matter; the others go together once they are as many, because to
 * take one from the front of a long log at each request costs more than to hold twice its length.
 */
export function append(log: Log, at: Micros, kept: number): Log {
  if (log.length >= 2 * kept) log.splice(0, log.length - kept + 1);
  log.push(at);
  return log;
}
