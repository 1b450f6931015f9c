const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
/** As dates are written now, and as RFC 850 wrote them: with their zone, without which `Date.parse` would take this machine's. */
const ZONED = new RegExp(`^${DAY}[a-z]*, .* (?:GMT|UTC|[+-]\\d{4})$`);
/** As C's asctime writes them, of which the zone is UTC. */
const ASCTIME = new RegExp(`^${DAY} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`);

/**
 * The three forms of RFC 9110 section 5.6.7. `Date.parse` alone takes `0`, `-5` and `1, 7` for days long past.
 * @returns milliseconds since 1970; NaN where it is no date of HTTP
 */
export function parseHttpDate(text: string): number {
  if (ZONED.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
