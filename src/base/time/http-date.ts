const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
/** IMF-fixdate and the RFC 850 form. The zone is required: without one, `Date.parse` assumes the local zone. */
const ZONED = new RegExp(
  `^${DAY}[a-z]*, \\d{1,2}[ -][A-Z][a-z]{2}[ -]\\d{2,4} \\d{1,2}:\\d{2}:\\d{2} (?:GMT|UTC|[+-]\\d{4})$`,
);
/** The form of C's asctime(), which is in UTC. */
const ASCTIME = new RegExp(`^${DAY} [A-Z][a-z]{2} [ \\d]\\d \\d{2}:\\d{2}:\\d{2} \\d{4}$`);

/**
 * Parses the three date forms of RFC 9110 section 5.6.7. `Date.parse` alone would accept `0`, `1, 7` and `Sun, 6 GMT` as dates.
 * @returns milliseconds since 1970; NaN if the text is not an HTTP date
 */
export function parseHttpDate(text: string): number {
  if (ZONED.test(text)) return Date.parse(text);
  return ASCTIME.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}
