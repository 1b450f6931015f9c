import { IMF_FIXDATE } from './free-texts.ts';

/** Headers that every server writes by itself, and that say nothing of the caller. */
const ORDINARY = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'server', 'vary']);

/** Names that speak of limits, which are judged, whatever a secret or a message has in common with them. */
const OF_LIMITS =
  /^((x-)?ratelimit(-(policy|limit|remaining|reset|used|resource|requests|tokens|concurrent|concurrency|second|minute|hour|day|daily|month))*|retry-after(-ms)?)$/;

/** Headers whose values may be dates. */
const DATED = new Set(['date', 'retry-after']);

export const isOrdinaryName = (name: string): boolean => ORDINARY.has(name);

/** Names of headers that say nothing of whoever called, even where it looks so. */
export const isSparedName = (name: string): boolean => ORDINARY.has(name) || OF_LIMITS.test(name);

/** A date where one belongs: years and hours are no secrets, though a short one may read like them. */
export const isDate = (name: string, value: string): boolean => DATED.has(name) && IMF_FIXDATE.test(value);

const NUMBERS = /\b\d+\b/g;

/** What a short secret may be part of by chance in the value of a header. */
export const sparedIn = (name: string): RegExp | undefined => (OF_LIMITS.test(name) ? NUMBERS : undefined);
