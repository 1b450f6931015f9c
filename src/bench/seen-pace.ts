/** What a rate looks like to the service: how late its requests came, and how much at once. */
export interface SeenPace {
  /** Arrivals a second, from the first to the last of them. */
  readonly perSecond: number;
  /** How late they came, in microseconds, percentiles. */
  readonly lagP50Us: number;
  readonly lagP99Us: number;
  readonly lagMaxUs: number;
  /** The least time in which a second's worth came, in milliseconds; absent where fewer came than that. */
  readonly fastestSecondMs?: number;
}

/**
 * Holds arrivals against an even schedule of that rate. Nobody but the generator knows when its schedule began, so the one is taken
 * that no arrival is ahead of: whoever is late throughout is not told so, whoever comes in bursts, or falls behind, is.
 * @param stamps in microseconds, ascending
 * @param skipUs how much of the beginning does not count
 * @returns undefined where nothing is left to be held against anything
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
