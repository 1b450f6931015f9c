import { performance } from 'node:perf_hooks';
import { SleepQueue } from './sleep-queue.ts';
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
/** Above 2^31 ms setTimeout fires at once; a month's wait is re-armed instead. */
const LONGEST_TIMER_MS = 2_000_000_000;

/** A real clock whose zero can be set anew, as long as nobody sleeps on it. */
export interface RestartableClock extends Clock {
  /**
   * Makes the present instant zero: setting up before a run must not read as lateness of its first arrivals.
   * @param origin zero, as another thread's clock tells its own; default the present
   */
  restart(origin?: number): void;
  /** Its zero, in microseconds of CLOCK_MONOTONIC, which all threads and processes of the machine share. */
  origin(): number;
}

/**
 * The machine's monotonic clock.
 * @param origin zero, as another thread's clock tells its own; default the present
 */
export function realClock(origin?: number): RestartableClock {
  // performance.now() counts from the thread's own start; read in µs of CLOCK_MONOTONIC it is the same in every thread.
  const threadStartUs = monotonicOfThreadStart();
  const zeroAt = (origin?: number) => (origin === undefined ? performance.now() : (origin - threadStartUs) / 1_000);
  let zeroMs = zeroAt(origin);
  const now = () => Math.floor((performance.now() - zeroMs) * 1_000) as Micros;
  const sleepers = new SleepQueue(() => waker.reconsider());
  const waker = wakerOf(sleepers, now);
  return {
    now,
    sleepUntil(at, signal) {
      const present = now();
      if (signal?.aborted || present >= at) return Promise.resolve();
      const sleeping = sleepers.sleep(at, signal);
      waker.expect(at, present);
      return sleeping;
    },
    restart: (at) => {
      zeroMs = zeroAt(at);
    },
    origin: () => threadStartUs + zeroMs * 1_000,
  };
}

/** What performance.now() counts from, in µs of CLOCK_MONOTONIC: of several readings the one with the least time between. */
function monotonicOfThreadStart(): number {
  let best = { gapMs: Number.POSITIVE_INFINITY, startUs: 0 };
  for (let reading = 0; reading < 5; reading++) {
    const before = performance.now();
    const monotonicUs = Number(process.hrtime.bigint()) / 1_000;
    const gapMs = performance.now() - before;
    if (gapMs < best.gapMs) best = { gapMs, startUs: monotonicUs - (before + gapMs / 2) * 1_000 };
  }
  return best.startUs;
}

interface Waker {
  /** Somebody fell asleep now, at `present`, until `at`. */
  expect(at: Micros, present: Micros): void;
  /** Somebody was woken early: a timer for nobody would keep the process from ending. */
  reconsider(): void;
}

/**
 * Wakes sleepers on time: a timer for those who sleep long, and turns of the loop just before an instant. A fast run's polls sleep for a
 * millisecond, thousands of times a second: the timer of whoever sleeps long stands meanwhile.
 */
function wakerOf(sleepers: SleepQueue, now: () => Micros): Waker {
  let timer: NodeJS.Timeout | undefined;
  /** The instant that the timer stands for; infinite while there is none. */
  let timerAt = Number.POSITIVE_INFINITY;
  let isTurning = false;
  const disarm = () => {
    clearTimeout(timer);
    timer = undefined;
    timerAt = Number.POSITIVE_INFINITY;
  };
  const look = () => {
    const at = now();
    sleepers.wakeUntil(at);
    const next = sleepers.earliest();
    if (next === undefined) disarm();
    else aim(next, at);
  };
  const onTimer = () => {
    disarm();
    look();
  };
  const onTurn = () => {
    isTurning = false;
    look();
  };
  const aim = (at: Micros, present: Micros) => {
    const leftMs = (at - present) / 1_000 - SPIN_WINDOW_MS;
    if (leftMs <= 0) {
      // One chain of turns, also when the timer fires while they go on: each would go on for itself.
      if (!isTurning) setImmediate(onTurn);
      isTurning = true;
    } else if (at < timerAt) {
      disarm();
      timerAt = at;
      timer = setTimeout(onTimer, Math.min(Math.floor(leftMs), LONGEST_TIMER_MS));
    }
  };
  return {
    expect(at, present) {
      // Turns of the loop look at every sleeper, whichever they were begun for.
      if (!isTurning && at < timerAt) aim(at, present);
    },
    reconsider() {
      if (timer !== undefined && sleepers.earliest() === undefined) disarm();
    },
  };
}
