import type { Micros } from '../../base/index.ts';
import type { JsonAnswer } from '../replies.ts';

/** Cache: the last formatted second. Thousands of answers share it. */
let lastDate = { second: Number.NaN, text: '' };

/** IMF-fixdate (RFC 9110 section 5.6.7), rounded down to seconds. @param us microseconds since 1970 */
export function httpDate(us: number): string {
  const second = Math.floor(us / 1_000_000);
  if (second !== lastDate.second) lastDate = { second, text: new Date(second * 1_000).toUTCString() };
  return lastDate.text;
}

interface Sent {
  /** The instant of the decision: `Date` is the service's time, not the machine's. */
  readonly now: Micros;
  /** In bytes. */
  readonly contentLength: number;
  /** Whether the connection closes after the answer. */
  readonly close: boolean;
}

/** All headers of an answer that is written without the framework. */
export function headersOf(
  { headers, delivery }: JsonAnswer,
  { now, contentLength, close }: Sent,
): Record<string, string> {
  return {
    date: httpDate(now + (delivery?.dateOffsetUs ?? 0)),
    'content-type': delivery?.contentType ?? 'application/json; charset=utf-8',
    'content-length': String(contentLength),
    ...(close && { connection: 'close' }),
    ...headers,
  };
}
