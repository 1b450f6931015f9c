import type { Micros } from '../../base/index.ts';

/**
 * How the sandbox's service time follows the machine's monotonic clock, exactly:
 * `serviceUs + floor((m − monotonicUs) × rate)` at the monotonic instant m. `monotonicUs` is CLOCK_MONOTONIC
 * (`process.hrtime`), which all processes of the machine share.
 */
export interface ClockMapping {
  readonly monotonicUs: Micros;
  readonly serviceUs: Micros;
  /** Service seconds per second. */
  readonly rate: number;
}

/** The service's clock. */
export interface ServiceClock {
  readonly mapping: ClockMapping;
  /** Microseconds since 1970 on the service's clock. */
  now(): Micros;
  /** For a timer that fires when the service's clock shows `at` or a little later; ≥ 0 and within what setTimeout takes. */
  timerMillisUntil(at: Micros): number;
}

/** A timer of more than 2^31 − 1 ms would fire at once; who waits longer asks again. */
const LONGEST_TIMER_MS = 2_000_000_000;

const monotonicNow = () => Number(process.hrtime.bigint() / 1_000n) as Micros;

/** @param startTime service time now; absent: the present */
export function startClock(rate: number, startTime?: string): ServiceClock {
  const monotonicUs = monotonicNow();
  const serviceUs = ((startTime === undefined ? Date.now() : Date.parse(startTime)) * 1_000) as Micros;
  const now = () => (serviceUs + Math.floor((monotonicNow() - monotonicUs) * rate)) as Micros;
  return {
    mapping: { monotonicUs, serviceUs, rate },
    now,
    timerMillisUntil: (at) => Math.min(LONGEST_TIMER_MS, Math.max(0, Math.ceil((at - now()) / rate / 1_000))),
  };
}
