import { limitOfErrorCode } from '../../api/index.ts';
import { inertJson } from '../inert-text.ts';
import { FIELD_CHARACTERS } from './csv.ts';
import type { RequestColumn } from './request-row.ts';

/** Outcome of the exchange. */
export const outcome: readonly RequestColumn[] = [
  {
    name: 'outcome',
    meaning:
      'answered (any status but 429), refused (429), failed (no answer) or censored (the client stopped waiting)',
    value: ({ exchange }) => exchange.outcome,
  },
  { name: 'status', meaning: 'HTTP status; empty without an answer', value: ({ exchange }) => exchange.status },
  {
    name: 'failure',
    meaning: 'Why there is no answer; empty if there is one',
    value: ({ exchange }) => exchange.failure,
  },
  {
    name: 'body_problem',
    meaning: 'Why the body could not be used; empty if it could',
    value: ({ exchange }) => exchange.bodyProblem,
  },
  {
    name: 'error_code',
    meaning: 'code of the error envelope, even if the envelope is otherwise malformed; empty without one',
    value: ({ exchange }) => exchange.error?.code,
  },
  {
    name: 'error_retryable',
    meaning: 'retryable of the error envelope',
    value: ({ exchange }) => exchange.error?.retryable,
  },
  {
    name: 'error_request_id',
    meaning: "request_id of the error envelope, for the service's support",
    value: ({ exchange }) => exchange.error?.requestId,
  },
  {
    name: 'limit',
    meaning: 'Limit that a 429 names by its error code (rate, concurrency, daily); empty if it names none',
    value: ({ exchange, words }) =>
      exchange.outcome === 'refused' ? limitOfErrorCode(words, exchange.error?.code) : undefined,
  },
  {
    name: 'retry_after',
    meaning: 'Retry-After as the service wrote it; empty without one',
    value: ({ exchange }) => exchange.retryAfter,
  },
  { name: 'date', meaning: 'Date header as the service wrote it', value: ({ exchange }) => exchange.date },
  {
    name: 'headers',
    meaning:
      'Header fields about limits, as a JSON object of as many of them as fit into 500 characters; empty without any',
    value: ({ exchange }) => exchange.headers && headersJson(exchange.headers),
  },
];

/** JSON that the bound of a field does not cut and inert text does not change, so that it stays JSON. */
function headersJson(headers: Readonly<Record<string, string>>): string {
  const all = inertJson(headers, 0).trimEnd();
  if (all.length <= FIELD_CHARACTERS) return all;
  const kept: [string, string][] = [];
  let json = '{}';
  for (const field of Object.entries(headers)) {
    const longer = inertJson(Object.fromEntries([...kept, field]), 0).trimEnd();
    if (longer.length > FIELD_CHARACTERS) continue;
    kept.push(field);
    json = longer;
  }
  return json;
}

/** Content of the answer and transferred bytes. */
export const contents: readonly RequestColumn[] = [
  { name: 'turn_id', meaning: 'Turn that it began, read or streamed', value: ({ exchange }) => exchange.turn?.id },
  { name: 'turn_status', meaning: 'Status of that turn in the answer', value: ({ exchange }) => exchange.turn?.status },
  {
    name: 'turn_latency_ms',
    unit: 'ms',
    meaning: 'metadata.latency_ms as the service reports it, on its own clock',
    value: ({ exchange }) => exchange.turn?.latencyMs,
  },
  {
    name: 'assistant_message_id',
    meaning: 'Id of the answer that completed the turn',
    value: ({ exchange }) => exchange.turn?.assistantMessageId,
  },
  {
    name: 'client_message_id',
    meaning: 'Identifier of the message that was sent',
    value: ({ exchange }) => exchange.message?.id,
  },
  {
    name: 'resend',
    meaning: 'same or other: a resend of an earlier id with the same or other content; empty for a first sending',
    value: ({ exchange }) => exchange.resend,
  },
  {
    name: 'history_limit',
    meaning: 'Messages asked for by readHistory',
    value: ({ exchange }) => exchange.history?.limit,
  },
  {
    name: 'history_offset',
    meaning: 'Offset asked for by readHistory',
    value: ({ exchange }) => exchange.history?.offset,
  },
  {
    name: 'history_items',
    meaning: 'Messages received by readHistory',
    value: ({ exchange }) => exchange.history?.items.length,
  },
  {
    name: 'bytes_sent',
    unit: 'bytes',
    meaning: 'Bytes of the request, headers included',
    value: ({ exchange }) => exchange.bytes.sent,
  },
  {
    name: 'bytes_received',
    unit: 'bytes',
    meaning: 'Bytes of the answer, headers included; of a stream those of its handshake',
    value: ({ exchange }) => exchange.bytes.received,
  },
  {
    name: 'connection',
    meaning: 'Number of the connection; empty if there was none',
    value: ({ exchange }) => exchange.connection,
  },
  {
    name: 'expect_checked',
    meaning:
      'Expectations checked of this answer; empty if there were none. Those of the last event of a stream are only in the journal and in summary.json',
    value: ({ exchange }) => exchange.expect?.checked,
  },
  { name: 'expect_unmet', meaning: 'Expectations not met', value: ({ exchange }) => exchange.expect?.unmet.length },
];
