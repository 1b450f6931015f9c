import type { ErrorMembers, TurnEvent } from '../api/index.ts';
import type { Micros } from '../base/index.ts';

/** How an answer is delivered. Absent members: at once, complete and with the service's time. */
export interface Delivery {
  /** Delay after the decision in service time; default 0. */
  readonly delayUs?: Micros;
  /** Added to the time in the `Date` header; default 0. */
  readonly dateOffsetUs?: Micros;
}

/** How an answer with a body is delivered. */
export interface BodyDelivery extends Delivery {
  /** `Content-Type` in place of the true one. */
  readonly contentType?: string;
  /** Pads the JSON with spaces to this length; no effect if the JSON is longer. */
  readonly padToBytes?: number;
  /** `half`: sends the first half of the body, then closes the connection. `drip`: sends small pieces over this long. Default: all at once. */
  readonly manner?: { readonly kind: 'half' } | { readonly kind: 'drip'; readonly lastingUs: Micros };
}

/** How a stream is delivered. */
export interface StreamDelivery extends Delivery {
  /** Cuts the connection without a close frame after this many events; default: never. */
  readonly cutAfter?: number;
}

/** An HTTP answer with a JSON body. Header names are in lower case. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly delivery?: BodyDelivery;
}

/** An event of a turn's stream with the instant from which it may be sent. */
export interface TimedEvent {
  readonly at: Micros;
  readonly event: TurnEvent;
}

/** An accepted handshake. The events are sent at their instants, then the stream is closed. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly TimedEvent[];
  readonly delivery?: StreamDelivery;
}

/** An answer of the core. */
export type Answer = JsonAnswer | StreamAnswer;

/** No answer: the connection is reset (`reset`) or stays open (`stall`). */
export interface Silence {
  readonly kind: 'silence';
  readonly ending: 'reset' | 'stall';
  /** Whether the request was decided and has had its effects. */
  readonly decided: boolean;
  readonly delivery?: Delivery;
}

/** The outcome of a request under faults. */
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

/** The four members of an error. The message must not contain credentials or the text of a message. */
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

/** Cache: the last formatted minute with its text up to the seconds. Nearly all instants lie in the same minute as the one before. */
let lastMinute = { startMs: Number.NaN, text: '' };

/** Formats service time as the API does: RFC 3339 in UTC with milliseconds, rounded down. */
export function dateTime(at: Micros): string {
  const ms = Math.floor(at / 1_000);
  const startMs = Math.floor(ms / 60_000) * 60_000;
  if (startMs !== lastMinute.startMs) lastMinute = { startMs, text: new Date(startMs).toISOString().slice(0, 17) };
  // The leading 1 pads the rest to two digits of seconds and three of milliseconds.
  const digits = String(100_000 + ms - startMs);
  return `${lastMinute.text}${digits.slice(1, 3)}.${digits.slice(3)}Z`;
}
