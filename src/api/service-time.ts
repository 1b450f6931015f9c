import type { Micros } from '../base/index.ts';

/** Service time is a whole number of microseconds since 1970, which a double holds exactly until 2255. */
const FIRST_INSTANT_MS = 0;
export const LAST_INSTANT_MS = Date.UTC(2200, 0, 1) - 1;

/** Whether the service's clock can represent the instant. @param text a date-time; true for anything else, which the schema rejects */
export function isRepresentable(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || (ms >= FIRST_INSTANT_MS && ms <= LAST_INSTANT_MS);
}

/** The instant of a valid date-time to the microsecond; `Date` alone drops the fourth to sixth digit of a fraction. */
export const serviceTimeOf = (text: string): Micros => (Date.parse(text) * 1_000 + microsBelowMillis(text)) as Micros;

const microsBelowMillis = (text: string) => Number((/\.\d{3}(\d{1,3})/.exec(text)?.[1] ?? '').padEnd(3, '0'));

/** Rules of the sandbox's times, as arguments of `refine`: for its own settings (milliseconds), and for scenarios that set them. */
export const sandboxTimeRules = {
  startTime: [isRepresentable, 'must lie from 1970 to 2199'],
  tokenLifetime: [(ms: number) => ms >= 1, 'must be at least 1ms'],
  defectLag: [(ms: number) => ms >= 0.001 && ms <= 3_600_000, 'must be from 1us to 1h'],
} as const;
