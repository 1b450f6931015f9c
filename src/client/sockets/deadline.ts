import type { Clock, Micros } from '../../base/index.ts';

/**
 * Calls `expired` once `clock.now() >= at`, never before; up to a few milliseconds later. Uses plain timers instead of
 * `clock.sleepUntil`, whose last stretch spins: right for sending on time, wasteful for a deadline that is almost never reached.
 * The loop looks at its sockets first: if it stood still meanwhile, timers come before what arrived in time.
 * @returns a function that cancels it
 */
export function onDeadline(clock: Clock, at: Micros, expired: () => void): () => void {
  let timer: NodeJS.Timeout;
  let afterLook: NodeJS.Immediate | undefined;
  const arm = () => {
    const leftMs = Math.ceil((at - clock.now()) / 1_000);
    // Above 2^31 ms setTimeout fires at once.
    timer = setTimeout(check, Math.min(Math.max(leftMs, 1), 2_000_000_000));
  };
  const check = () => {
    if (clock.now() < at) arm();
    else afterLook = setImmediate(expired);
  };
  arm();
  return () => {
    clearTimeout(timer);
    clearImmediate(afterLook);
  };
}
