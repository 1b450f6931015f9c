/**
 * Microseconds, an integer: run time since the start of the run, or service time since 1970. All times in the journal are Micros.
 */
export type Micros = number & { readonly __unit: 'µs' };
/** Milliseconds, possibly fractional; the unit of timers and of parsed durations. */
export type Millis = number & { readonly __unit: 'ms' };
/** A rate in events per second, possibly fractional (20/min is 1/3). */
export type PerSecond = number & { readonly __unit: '1/s' };

/** Rounds half up to whole microseconds. */
export const microsFromMillis = (ms: number): Micros => Math.round(ms * 1_000) as Micros;
export const microsFromSeconds = (seconds: number): Micros => Math.round(seconds * 1_000_000) as Micros;

const MILLIS_PER_UNIT = { us: 0.001, ms: 1, s: 1_000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type DurationUnit = keyof typeof MILLIS_PER_UNIT;

const DURATION = /^(\d+(?:\.\d+)?)\s*(us|ms|s|min|m|h|d)/;

/**
 * Parses a duration: `250ms`, `1.5s`, `2m` or `2min`, `1h30m`, `1d`.
 * A number without a unit is rejected as ambiguous, except `0`.
 * @returns milliseconds, ≥ 0; `undefined` if the text is not a duration
 */
export function parseDuration(text: string): Millis | undefined {
  let rest = text.trim();
  if (rest === '0') return 0 as Millis;
  let total = 0;
  while (rest !== '') {
    const match = DURATION.exec(rest);
    if (!match) return undefined;
    total += Number(match[1]) * MILLIS_PER_UNIT[match[2] as DurationUnit];
    rest = rest.slice(match[0].length).trimStart();
  }
  return text.trim() === '' ? undefined : (total as Millis);
}

const SECONDS_PER_RATE_UNIT = {
  s: 1,
  sec: 1,
  second: 1,
  min: 60,
  minute: 60,
  m: 60,
  h: 3_600,
  hour: 3_600,
  d: 86_400,
  day: 86_400,
} as const;
type RateUnit = keyof typeof SECONDS_PER_RATE_UNIT;

/**
 * Parses a rate with its unit: `20/min`, `0.5/s`, `50/day`, `120/h`.
 * @returns events per second, > 0; `undefined` if the text is not a rate
 */
export function parseRate(text: string): PerSecond | undefined {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\s*\/\s*([a-z]+)$/.exec(text.trim()) ?? [];
  if (!(unit in SECONDS_PER_RATE_UNIT)) return undefined;
  const rate = Number(count) / SECONDS_PER_RATE_UNIT[unit as RateUnit];
  return rate > 0 ? (rate as PerSecond) : undefined;
}

/**
 * Formats a duration with two or three significant digits below 100 s and to the second above, without zero parts: `0.25 ms`,
 * `812 ms`, `3.40 s`, `2 min 5 s`, `20 min`, `1 h 30 min`. Hours are the largest unit, because a service's "day" is ambiguous.
 * @param us microseconds, ≥ 0
 */
export function formatDuration(us: number): string {
  const ms = us / 1_000;
  if (ms < 0.995) return `${Number(ms.toPrecision(2))} ms`;
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  const s = ms / 1_000;
  if (s < 9.995) return `${s.toFixed(2)} s`;
  if (s < 99.95) return `${s.toFixed(1)} s`;
  const whole = Math.round(s);
  const parts = [`${Math.floor(whole / 3_600)} h`, `${Math.floor(whole / 60) % 60} min`, `${whole % 60} s`];
  return parts.filter((part) => !part.startsWith('0 ')).join(' ');
}
