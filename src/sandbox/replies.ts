import type { ErrorMembers } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { TimedEvent } from './stream.ts';

/** How an answer travels, where it is not simply sent: at once, whole and with the service's time. */
export interface Delivery {
  /** Held back this long after the decision, on the service's clock; default 0. */
  readonly delayUs?: Micros;
  /** Added to the time that the `Date` header shows; default 0. */
  readonly dateOffsetUs?: Micros;
}

/** How the body of an ordinary answer travels. */
export interface BodyDelivery extends Delivery {
  /** `Content-Type` in place of the true one. */
  readonly contentType?: string;
  /** Spaces follow the JSON until the body is this long; shorter than the JSON: none. */
  readonly padToBytes?: number;
  /** `half`: the first half of the body, then the connection closes. `drip`: in small pieces over this long. Default: whole. */
  readonly manner?: { readonly kind: 'half' } | { readonly kind: 'drip'; readonly lastingUs: Micros };
}

/** How a stream travels. */
export interface StreamDelivery extends Delivery {
  /** The connection is cut, without a close frame, after so many events; default: never. */
  readonly cutAfter?: number;
}

/** An ordinary HTTP answer. Header names are in lower case. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly delivery?: BodyDelivery;
}

/** The handshake is accepted; the events go out at their instants, then the stream closes. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly TimedEvent[];
  readonly delivery?: StreamDelivery;
}

/** What the core answers. */
export type Answer = JsonAnswer | StreamAnswer;

/** No answer ever: the connection is reset, or stays open in silence. */
export interface Silence {
  readonly kind: 'silence';
  readonly ending: 'reset' | 'stall';
  /** Whether the request was decided, and what it does was done. */
  readonly decided: boolean;
  readonly delivery?: Delivery;
}

/** What comes of a request when faults are on. */
export type Outcome = Answer | Silence;

/** The error codes, each with its status and whether retrying is appropriate (design.md section 7). */
export const errorCodes = {
  unauthorized: { status: 401, retryable: false },
  not_found: { status: 404, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  invalid_request: { status: 422, retryable: false },
  message_id_reused: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  concurrency_limited: { status: 429, retryable: true },
  daily_quota_exceeded: { status: 429, retryable: false },
  internal: { status: 500, retryable: true },
  bad_gateway: { status: 502, retryable: true },
  unavailable: { status: 503, retryable: true },
} as const satisfies Record<string, { status: number; retryable: boolean }>;
export type ErrorCode = keyof typeof errorCodes;

/** The four members of an error. The message names what is wrong, never a credential nor a message's text. */
export function errorMembers(code: ErrorCode, message: string, requestId: string): ErrorMembers {
  return { code, message, retryable: errorCodes[code].retryable, request_id: requestId };
}

/** An error answer in the envelope of specification section 7. */
export function refusal(
  code: ErrorCode,
  message: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): JsonAnswer {
  return {
    kind: 'json',
    status: errorCodes[code].status,
    headers,
    body: { error: errorMembers(code, message, requestId) },
  };
}

export function success(status: number, body: unknown): JsonAnswer {
  return { kind: 'json', status, headers: {}, body };
}

/** The minute that was written last, with its text up to the seconds: nearly all instants that are written lie in one. */
let lastMinute = { startMs: Number.NaN, text: '' };

/** Service time as the API writes it: RFC 3339 in UTC, milliseconds, rounded down. */
export function dateTime(at: Micros): string {
  const ms = Math.floor(at / 1_000);
  const startMs = Math.floor(ms / 60_000) * 60_000;
  if (startMs !== lastMinute.startMs) lastMinute = { startMs, text: new Date(startMs).toISOString().slice(0, 17) };
  // A one, so that there are always two digits of seconds and three of milliseconds behind it.
  const digits = String(100_000 + ms - startMs);
  return `${lastMinute.text}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
}
