import { type Clock, type Micros, STANDSTILL_US } from '../../base/index.ts';

/**
 * Calls `expired` once `clock.now() >= at`, never before; up to a few milliseconds later. Uses plain timers instead of
 * `clock.sleepUntil`, whose last stretch spins: right for sending on time, wasteful for a deadline that is almost never reached.
 * The loop looks at its sockets first: if it stood still meanwhile, timers come before what arrived in time. And it goes on once for
 * as long as it stood still beyond `at`: HTTP/2 writes at the end of a turn, so that even the request may leave only now.
 * @returns a function that cancels it
 */
export function onDeadline(clock: Clock, at: Micros, expired: () => void): () => void {
  let timer: NodeJS.Timeout;
  let afterLook: NodeJS.Immediate | undefined;
  // What is past already when it is set is no standstill.
  const due = Math.max(at, clock.now());
  let until = due;
  const arm = () => {
    const leftMs = Math.ceil((until - clock.now()) / 1_000);
    // Above 2^31 ms setTimeout fires at once.
    timer = setTimeout(check, Math.min(Math.max(leftMs, 1), 2_000_000_000));
  };
  const check = () => {
    const now = clock.now();
    if (until === due && now - due > STANDSTILL_US) until = now + (now - due);
    if (now < until) arm();
    else afterLook = setImmediate(expired);
  };
  arm();
  return () => {
    clearTimeout(timer);
    clearImmediate(afterLook);
  };
}
