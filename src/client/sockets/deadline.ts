import type { Clock, Micros } from '../../base/index.ts';

/**
 * Calls `expired` once `clock.now() >= at`, never before; up to a few milliseconds later.
 * Plain timers rather than `clock.sleepUntil`, whose last stretch spins: right for sending on time, a waste for a deadline
 * that almost never comes. @returns a function that calls it off
 */
export function onDeadline(clock: Clock, at: Micros, expired: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = () => {
    const leftMs = Math.ceil((at - clock.now()) / 1_000);
    // Above 2^31 ms setTimeout fires at once.
    timer = setTimeout(check, Math.min(Math.max(leftMs, 1), 2_000_000_000));
  };
  const check = () => (clock.now() >= at ? expired() : arm());
  arm();
  return () => clearTimeout(timer);
}
