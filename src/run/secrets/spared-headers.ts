import { IMF_FIXDATE } from './free-texts.ts';

/** Headers that servers add by themselves and that do not depend on the caller. */
const ORDINARY = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'server', 'vary']);

/** Names of headers about limits. The judge needs them, so they are kept even if they contain a part of a secret or message. */
const OF_LIMITS =
  /^((x-)?ratelimit(-(policy|limit|remaining|reset|used|resource|requests|tokens|concurrent|concurrency|second|minute|hour|day|daily|month))*|retry-after(-ms)?)$/;

/** Headers whose values may be dates. */
const DATED = new Set(['date', 'retry-after']);

export const isOrdinaryName = (name: string): boolean => ORDINARY.has(name);

/** Whether a header's name is never redacted. */
export const isSparedName = (name: string): boolean => ORDINARY.has(name) || OF_LIMITS.test(name);

/** Whether a value is the date of a dated header. It is kept, although a short secret may equal a year or an hour. */
export const isDate = (name: string, value: string): boolean => DATED.has(name) && IMF_FIXDATE.test(value);

const NUMBERS = /\b\d+\b/g;

/** Pattern of values in which a short secret may occur by chance; `undefined` if there are none for this header. */
export const sparedIn = (name: string): RegExp | undefined => (OF_LIMITS.test(name) ? NUMBERS : undefined);
