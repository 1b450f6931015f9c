import { performance } from 'node:perf_hooks';
import type { Micros } from './units.ts';

/**
 * Time as a parameter. `now()` is monotonic; its zero is the clock's own (a run's start), never the wall's.
 */
export interface Clock {
  now(): Micros;
  /**
   * Resolves once `now() >= at`, never before; at once when `at` has passed. Resolves early, without throwing, when `signal`
   * is aborted: the caller asks the signal what happened.
   */
  sleepUntil(at: Micros, signal?: AbortSignal): Promise<void>;
}

/**
 * setTimeout knows whole milliseconds only and fires up to one early or several late (measured, design.md section 8),
 * so the timer is aimed this much before the instant and the rest is spent in setImmediate turns, which keep sockets served.
 */
const SPIN_WINDOW_MS = 1.5;

/** A real clock whose zero can be set anew, as long as nobody sleeps on it. */
export interface RestartableClock extends Clock {
  /** Makes the present instant zero: setting up before a run must not read as lateness of its first arrivals. */
  restart(): void;
}

/** The machine's monotonic clock, zero at the call. */
export function realClock(): RestartableClock {
  let origin = performance.now();
  const now = () => Math.floor((performance.now() - origin) * 1_000) as Micros;
  return {
    now,
    sleepUntil: (at, signal) => sleepOnTimers(now, at, signal),
    restart: () => {
      origin = performance.now();
    },
  };
}

function sleepOnTimers(now: () => Micros, at: Micros, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const wait = () => {
      if (signal?.aborted || now() >= at) return finish();
      const leftMs = (at - now()) / 1_000;
      // Above 2^31 ms setTimeout fires at once; a day's wait is re-armed instead.
      if (leftMs > SPIN_WINDOW_MS)
        timer = setTimeout(wait, Math.min(Math.floor(leftMs - SPIN_WINDOW_MS), 2_000_000_000));
      else setImmediate(wait);
    };
    signal?.addEventListener('abort', finish, { once: true });
    wait();
  });
}
