import type { ErrorMembers } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { TimedEvent } from './stream.ts';

/** An ordinary HTTP answer. Header names are in lower case. */
export interface JsonAnswer {
  readonly kind: 'json';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The handshake is accepted; the events go out at their instants, then the stream closes. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly status: 101;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly TimedEvent[];
}

/** What the core answers. */
export type Answer = JsonAnswer | StreamAnswer;

/** The error codes, each with its status and whether retrying is appropriate (design.md section 7). */
const errorCodes = {
  unauthorized: { status: 401, retryable: false },
  not_found: { status: 404, retryable: false },
  payload_too_large: { status: 413, retryable: false },
  invalid_request: { status: 422, retryable: false },
  message_id_reused: { status: 422, retryable: false },
  rate_limited: { status: 429, retryable: true },
  concurrency_limited: { status: 429, retryable: true },
  daily_quota_exceeded: { status: 429, retryable: false },
  internal: { status: 500, retryable: true },
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

/** Service time as the API writes it: RFC 3339 in UTC, milliseconds, rounded down. */
export const dateTime = (at: Micros): string => new Date(Math.floor(at / 1_000)).toISOString();
