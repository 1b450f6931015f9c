import type { Clock, Micros } from '../../base/index.ts';

/**
 * Acts at each multiple of an interval on the run's clock until `signal` is aborted. Multiples are left out that have passed when an act
 * ends, or pass while as long again is left to everything else: acts that take longer than the interval would otherwise follow
 * one another without the event loop ever going on.
 * @param act @returns true if it was the last time
 */
export async function atIntervals(
  clock: Clock,
  intervalUs: number,
  signal: AbortSignal,
  act: (now: Micros) => boolean,
): Promise<void> {
  for (let at = intervalUs; ; ) {
    await clock.sleepUntil(at as Micros, signal);
    if (signal.aborted) return;
    const from = clock.now();
    if (act(from)) return;
    const now = clock.now();
    at = (Math.floor((now + (now - from)) / intervalUs) + 1) * intervalUs;
  }
}
