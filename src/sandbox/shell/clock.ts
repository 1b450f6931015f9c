import type { Micros } from '../../base/index.ts';

/**
 * Maps the machine's monotonic clock to service time: at the monotonic instant m, service time is
 * `serviceUs + floor((m − monotonicUs) × rate)`. `monotonicUs` is CLOCK_MONOTONIC (`process.hrtime`), which all processes of
 * the machine share.
 */
export interface ClockMapping {
  readonly monotonicUs: Micros;
  readonly serviceUs: Micros;
  /** Service seconds per second. 0 for a manual clock; the mapping is then that of its last move. */
  readonly rate: number;
}

/** The service's clock. It never goes backwards. */
export interface ServiceClock {
  /** The current mapping. For a running clock it only changes when a held one begins. */
  readonly mapping: ClockMapping;
  /** Microseconds since 1970 on the service's clock. */
  now(): Micros;
  /**
   * Calls `act` once the clock shows `at` or later; synchronously if it does already.
   * @returns cancels the waiting
   */
  whenShows(at: Micros, act: () => void): () => void;
  /** Only for running clocks: starts a held clock; no effect otherwise. */
  begin?(): void;
  /** Only for manual clocks: sets the clock to an instant that is not before `now`. */
  moveTo?(at: Micros): void;
}

/** The machine's wall clock in microseconds since 1970, with a resolution of a millisecond. */
export const wallNow = () => (Date.now() * 1_000) as Micros;
