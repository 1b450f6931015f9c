/** The meaning of a Retry-After (RFC 9110 section 10.2.3). */
export type RetryAfter =
  /** Seconds after its receipt, ≥ 0. */
  | { readonly kind: 'seconds'; readonly seconds: number }
  /** An instant of the service's clock, µs since 1970; whole seconds. */
  | { readonly kind: 'date'; readonly us: number }
  /** Neither: negative, fractional, with a unit, or no date. */
  | { readonly kind: 'unreadable' };

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** More than 30 years is not a wait; beyond 15 digits a double is not exact. */
const DELAY = /^\d{1,15}$/;

export function parseRetryAfter(text: string): RetryAfter {
  const trimmed = text.trim();
  if (DELAY.test(trimmed)) return { kind: 'seconds', seconds: Number(trimmed) };
  const us = parseImfDate(trimmed);
  return us === undefined ? { kind: 'unreadable' } : { kind: 'date', us };
}

/** `Sat, 21 Nov 2026 12:00:00 GMT` → µs since 1970. The obsolete forms are not read: a wrong century would accuse. */
function parseImfDate(text: string): number | undefined {
  const match = IMF_FIXDATE.exec(text);
  const month = MONTHS.indexOf(match?.[2] ?? '');
  if (!match || month < 0) return undefined;
  const [day, year, hour, minute, second] = [match[1], match[3], match[4], match[5], match[6]].map(Number);
  const ms = Date.UTC(year ?? 0, month, day, hour, minute, second);
  const isReal = new Date(ms).getUTCDate() === day && (hour ?? 24) < 24 && (minute ?? 60) < 60 && (second ?? 61) < 61;
  return isReal ? ms * 1_000 : undefined;
}
