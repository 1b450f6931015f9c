import type { Micros } from '../../base/index.ts';

/**
 * How the sandbox's service time follows the machine's monotonic clock, exactly:
 * `serviceUs + floor((m − monotonicUs) × rate)` at the monotonic instant m. `monotonicUs` is CLOCK_MONOTONIC
 * (`process.hrtime`), which all processes of the machine share.
 */
export interface ClockMapping {
  readonly monotonicUs: Micros;
  readonly serviceUs: Micros;
  /** Service seconds per second; 0: the clock stands still until somebody moves it, and the mapping is that of the last move. */
  readonly rate: number;
}

/** The service's clock. It never goes back. */
export interface ServiceClock {
  /** As it is now; that of a running clock never changes, but when a held one begins. */
  readonly mapping: ClockMapping;
  /** Microseconds since 1970 on the service's clock. */
  now(): Micros;
  /**
   * Acts once the clock shows `at` or later, never before; at once, before returning, when it does already.
   * @returns gives the waiting up
   */
  whenShows(at: Micros, act: () => void): () => void;
  /** Only of a running clock: one that is held runs from now on; of any other it changes nothing. */
  begin?(): void;
  /** Only of a clock that is moved by hand: sets it to an instant that is not before `now`. */
  moveTo?(at: Micros): void;
}

export const monotonicNow = () => Number(process.hrtime.bigint() / 1_000n) as Micros;
/** The machine's time of day, whole milliseconds in microseconds since 1970. */
export const wallNow = () => (Date.now() * 1_000) as Micros;
