/** The pacing of a generator as seen by the service. */
export interface SeenPace {
  /** Arrivals per second between the first and the last. */
  readonly perSecond: number;
  /** Percentiles of lateness, in microseconds. */
  readonly lagP50Us: number;
  readonly lagP99Us: number;
  readonly lagMaxUs: number;
  /** Shortest time in which a second's worth of requests arrived, in milliseconds; absent if fewer arrived. */
  readonly fastestSecondMs?: number;
}

/**
 * Compares arrivals with an even schedule. Only the generator knows when its schedule began, so the latest schedule is used that no
 * arrival is ahead of. A constant delay therefore does not show; bursts and falling behind do.
 * @param stamps in microseconds, ascending
 * @param skipUs warm-up that is not counted
 * @returns undefined if fewer than two instants are left
 */
export function seenPace(stamps: readonly number[], rate: number, skipUs: number): SeenPace | undefined {
  const begin = (stamps[0] ?? 0) + skipUs;
  const counted = stamps.filter((at) => at >= begin);
  const [first, last] = [counted[0], counted.at(-1)];
  if (first === undefined || last === undefined || last === first) return undefined;
  const late = counted.map((at, index) => at - (index * 1e6) / rate);
  const ahead = late.reduce((least, value) => Math.min(least, value));
  const lags = late.map((value) => value - ahead).sort((a, b) => a - b);
  const quantile = (share: number) => lags[Math.ceil(lags.length * share) - 1] ?? 0;
  const whole = Math.round(rate);
  const seconds = counted.flatMap((at, index) => (index < whole ? [] : [at - (counted[index - whole] ?? 0)]));
  return {
    perSecond: ((counted.length - 1) / (last - first)) * 1e6,
    lagP50Us: quantile(0.5),
    lagP99Us: quantile(0.99),
    lagMaxUs: quantile(1),
    ...(seconds.length > 0 && { fastestSecondMs: seconds.reduce((least, us) => Math.min(least, us)) / 1_000 }),
  };
}
