/** Begins with a day's name, in each of the three forms of RFC 9110 section 5.6.7. `Date.parse` alone takes `0`, `-5` and `1, 7` for days long past. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/** Milliseconds since 1970; NaN where it is no date of HTTP. */
export const parseHttpDate = (text: string): number => (HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN);
