import type { JsonAnswer } from '../replies.ts';

/** The second that was written last: requests come in thousands of them. */
let lastDate = { second: Number.NaN, text: '' };

/** IMF-fixdate (RFC 9110 section 5.6.7), whole seconds, rounded down. */
export function httpDate(us: number): string {
  const second = Math.floor(us / 1_000_000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(second * 1_000).toUTCString() };
  return lastDate.text;
}

/**
 * Every header of an answer that is written without the framework.
 * @param now the instant of the decision: `Date` is the service's time, not the machine's
 */
export function headersOf(
  { headers, delivery }: JsonAnswer,
  now: number,
  contentLength: number,
  close: boolean,
): Record<string, string> {
  return {
    date: httpDate(now + (delivery?.dateOffsetUs ?? 0)),
    'content-type': delivery?.contentType ?? 'application/json; charset=utf-8',
    'content-length': String(contentLength),
    ...(close && { connection: 'close' }),
    ...headers,
  };
}
