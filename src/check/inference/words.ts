import type { ExchangeRef } from '../certificates/certificate.ts';

/** By scope, the words after the numbers of a limit; empty if everybody shares one bucket. */
const scopes: Readonly<Record<string, string>> = {
  application: ' per application',
  user: ' per user',
  token: ' per token',
  conversation: ' per conversation',
  endpoint: ' per operation of an application',
  narrowest: ' per operation of a token in a conversation',
};

export const whoseOf = (scope: string): string => scopes[scope] ?? '';

/** What counts (see `Counting`) as words: `all requests`, `requests with a token, replays free`. */
export const countedOf = (counts: string): string =>
  counts.replace(/^all\b/, 'all requests').replace(/^bearer\b/, 'requests with a token');

/** A reading's name as words, with its article: `a sliding log`, `days from 00:00 UTC`. */
const named: Readonly<Record<string, string>> = {
  'sliding-log-counting-refused': 'a sliding log in which refused requests count',
  'interval-refill': 'a token bucket that refills at ticks',
  'fixed-window': 'a fixed window of any phase',
  'fixed-window-aligned': "a fixed window aligned to the service's clock",
  'fixed-window-anchored': 'a fixed window that begins with its first request',
  'fixed-window-penalty': 'a fixed window with a penalty',
  'accepted-to-finished': 'a slot from acceptance to the end of the turn',
  'processing-only': 'a slot only while the turn is in process',
  utc: 'a day from 00:00 UTC',
  'token-timezone': "a day from midnight in the token's time zone",
  'first-use': 'a day from the first message',
  rolling: 'a span of any 24 hours',
};

export const nameOf = (reading: string): string =>
  named[reading] ?? `${/^[aeiou]/.test(reading) ? 'an' : 'a'} ${reading.replaceAll('-', ' ')}`;

/** `request 31`, `requests 31–52`. */
export const requestsOf = (from: ExchangeRef, to: ExchangeRef): string =>
  from === to ? `request ${from}` : `requests ${from}–${to}`;

/** `a`, `a or b`, `a, b or c`. */
export const anyOf = (words: readonly string[]): string => joined(words, 'or');

/** `a`, `a and b`, `a, b and c`. */
export const allOf = (words: readonly string[]): string => joined(words, 'and');

function joined(words: readonly string[], before: string): string {
  const last = words[words.length - 1] ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${before} ${last}`;
}
