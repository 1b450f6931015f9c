import { performance } from 'node:perf_hooks';
import { SleepQueue } from './sleep-queue.ts';
import type { Micros } from './units.ts';

/** A time source that is passed as a parameter. */
export interface Clock {
  /** Monotonic. Its zero is the clock's own (usually the start of the run), not the Unix epoch. */
  now(): Micros;
  /**
   * Resolves once `now() >= at`, never before, and immediately if `at` has passed. If `signal` is aborted, it resolves early
   * and does not throw; the caller checks the signal.
   */
  sleepUntil(at: Micros, signal?: AbortSignal): Promise<void>;
}

/**
 * setTimeout has a resolution of one millisecond and fires up to 1 ms early or several late (measured, design.md section 8).
 * So the timer is set this long before the target instant; the rest is spent in setImmediate turns, which keep serving sockets.
 */
const SPIN_WINDOW_MS = 1.5;
/**
 * A turn of the loop in which nothing else happens takes less than a microsecond and leaves some 300 bytes to the garbage collector.
 * Such turns alone would fill the young generation thirty times a second, and each collection of it makes arrivals 0.3 ms late. So the
 * thread waits for some 2 µs (`rest`) in every such turn, unless a sleeper is due within this time.
 */
const REST_US = 3;
const REST_READS = 500;
/** A turn that begins this soon after the last one, in whole microseconds, had nothing else before it. */
const IDLE_TURN_US = 3;
/** setTimeout fires immediately for delays above 2^31 − 1 ms (25 days); a longer sleep re-arms its timer. */
const LONGEST_TIMER_MS = 2_000_000_000;

/** A real clock whose zero can be reset while nobody is sleeping on it. */
export interface RestartableClock extends Clock {
  /**
   * Makes the present instant zero, so that set-up before a run does not count as lateness of its first arrivals.
   * @param origin the new zero, as returned by `origin()` of another thread's clock; default: now
   */
  restart(origin?: number): void;
  /** The clock's zero, in microseconds of CLOCK_MONOTONIC, which all threads and processes of the machine share. */
  origin(): number;
}

/** CLOCK_MONOTONIC in whole microseconds: the same clock in all threads and processes of the machine. */
export const monotonicNow = (): Micros => Number(process.hrtime.bigint() / 1_000n) as Micros;

/** The machine's monotonic clock. Its zero is now, until it is restarted. */
export function realClock(): RestartableClock {
  // performance.now() counts from the start of the thread; converted to CLOCK_MONOTONIC it is comparable across threads.
  const threadStartUs = monotonicOfThreadStart();
  let zeroMs = performance.now();
  const now = () => Math.floor((performance.now() - zeroMs) * 1_000) as Micros;
  const sleepers: SleepQueue = new SleepQueue(() => waker.reconsider());
  const waker: Waker = new Waker(sleepers, now);
  return {
    now,
    sleepUntil(at, signal) {
      const present = now();
      if (signal?.aborted || present >= at) return Promise.resolve();
      const sleeping = sleepers.sleep(at, signal);
      waker.expect(at, present);
      return sleeping;
    },
    restart: (origin) => {
      zeroMs = origin === undefined ? performance.now() : (origin - threadStartUs) / 1_000;
    },
    origin: () => threadStartUs + zeroMs * 1_000,
  };
}

/** The zero of performance.now() in µs of CLOCK_MONOTONIC; of several paired readings, the pair with the smallest gap. */
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

const cell = new Int32Array(1);

/** Waits for about 2 µs without leaving anything behind; each reading of the clock would leave 16 bytes. */
function rest(): void {
  for (let left = REST_READS; left > 0; left--) Atomics.load(cell, 0);
}

/**
 * Wakes sleepers on time: by a timer for long sleeps and by polling in event-loop turns shortly before an instant. A fast run
 * sleeps for about a millisecond thousands of times per second; such short sleeps leave the timer of a long one in place.
 */
class Waker {
  readonly #sleepers: SleepQueue;
  readonly #now: () => Micros;
  #timer: NodeJS.Timeout | undefined;
  /** The instant that the timer is for; infinity without a timer. */
  #timerAt = Number.POSITIVE_INFINITY;
  #isPolling = false;
  /** When the last turn looked at the sleepers. */
  #turnedAt = Number.NEGATIVE_INFINITY;

  constructor(sleepers: SleepQueue, now: () => Micros) {
    this.#sleepers = sleepers;
    this.#now = now;
  }

  /** A sleep until `at` began at `present`. */
  expect(at: Micros, present: Micros): void {
    // Polling checks all sleepers, whichever it was started for.
    if (!this.#isPolling && at < this.#timerAt) this.#aim(at, present);
  }

  /** A sleeper was woken early. Without other sleepers, the timer is cleared, because it would keep the process alive. */
  reconsider(): void {
    if (this.#timer !== undefined && this.#sleepers.earliest() === undefined) this.#disarm();
  }

  #aim(at: Micros, present: Micros): void {
    const leftMs = (at - present) / 1_000 - SPIN_WINDOW_MS;
    if (leftMs <= 0) {
      // At most one chain of setImmediate calls, even if the timer fires during it: each chain would continue on its own.
      if (!this.#isPolling) setImmediate(this.#onTurn);
      this.#isPolling = true;
    } else if (at < this.#timerAt) {
      this.#disarm();
      this.#timerAt = at;
      this.#timer = setTimeout(this.#onTimer, Math.min(Math.floor(leftMs), LONGEST_TIMER_MS));
    }
  }

  readonly #onTimer = (): void => {
    this.#disarm();
    this.#wakeDue();
  };

  readonly #onTurn = (): void => {
    this.#isPolling = false;
    const at = this.#now();
    const isIdle = at - this.#turnedAt <= IDLE_TURN_US;
    if (isIdle && at + REST_US < (this.#sleepers.earliest() ?? 0)) rest();
    this.#turnedAt = this.#wakeDue();
  };

  /** @returns when it looked */
  #wakeDue(): Micros {
    const at = this.#now();
    this.#sleepers.wakeUntil(at);
    const next = this.#sleepers.earliest();
    if (next === undefined) this.#disarm();
    else this.#aim(next, at);
    return at;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }
}
