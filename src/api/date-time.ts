import { z } from 'zod';

/*
 * Dates and times of RFC 3339 section 5.6. Unlike zod's `datetime`, it allows lower-case `t` and `z` and the second 60.
 * `Date.parse` does not accept the second 60 either.
 */

const DAY =
  '(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))';
const HOUR_AND_MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const DATE_TIME = new RegExp(
  `^${DAY}[Tt]${HOUR_AND_MINUTE}:(?:[0-5]\\d|60)(?:\\.\\d+)?(?:[Zz]|[+-]${HOUR_AND_MINUTE})$`,
);

/** The format `date-time` of JSON Schema. */
export const DateTime = z.stringFormat('date-time', DATE_TIME);

const SECOND_60 = /^(.{17})60/;

/**
 * @returns milliseconds since 1970; NaN if the text is not a date and time. A leap second counts as the first second of the next
 * minute, as in POSIX.
 */
export function instantOf(text: string): number {
  if (!DATE_TIME.test(text)) return Number.NaN;
  const isLeap = SECOND_60.test(text);
  return Date.parse(isLeap ? text.replace(SECOND_60, '$159') : text) + (isLeap ? 1_000 : 0);
}
