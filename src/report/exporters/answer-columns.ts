import { limitOfRefusal } from '../../api/index.ts';
import { inertJson } from '../../base/index.ts';
import { column, FIELD_CHARACTERS } from './csv.ts';
import type { RequestColumn } from './request-row.ts';

/** Outcome of the exchange. */
export const outcome: readonly RequestColumn[] = [
  column(
    'outcome',
    'answered (any answer but a refusal), refused (429, or as errorCodes.otherStatuses of the profile says), failed (no answer) or censored (the client stopped waiting)',
    ({ exchange }) => exchange.outcome,
  ),
  column('status', 'HTTP status; empty without an answer', ({ exchange }) => exchange.status),
  column('failure', 'Why there is no answer; empty if there is one', ({ exchange }) => exchange.failure),
  column('body_problem', 'Why the body could not be used; empty if it could', ({ exchange }) => exchange.bodyProblem),
  column(
    'error_code',
    'code of the error envelope, even if the envelope is otherwise malformed; empty without one',
    ({ exchange }) => exchange.error?.code,
  ),
  column('error_retryable', 'retryable of the error envelope', ({ exchange }) => exchange.error?.retryable),
  column(
    'error_request_id',
    "request_id of the error envelope, for the service's support",
    ({ exchange }) => exchange.error?.requestId,
  ),
  column(
    'limit',
    'Limit that a 429 names by its error code, or by having none (rate, concurrency, daily); empty if it names none',
    ({ exchange, words }) => (exchange.outcome === 'refused' ? limitOfRefusal(words, exchange) : undefined),
  ),
  column(
    'retry_after',
    'Retry-After as the service wrote it; empty without one',
    ({ exchange }) => exchange.retryAfter,
  ),
  column('date', 'Date header as the service wrote it', ({ exchange }) => exchange.date),
  column(
    'headers',
    'Header fields about limits, as a JSON object of as many of them as fit into 500 characters; empty without any',
    ({ exchange }) => exchange.headers && headersJson(exchange.headers),
  ),
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
  column('turn_id', 'Turn that it began, read or streamed', ({ exchange }) => exchange.turn?.id),
  column('turn_status', 'Status of that turn in the answer', ({ exchange }) => exchange.turn?.status),
  column(
    'turn_latency_ms',
    'metadata.latency_ms as the service reports it, on its own clock',
    ({ exchange }) => exchange.turn?.latencyMs,
    'ms',
  ),
  column(
    'assistant_message_id',
    'Id of the answer that completed the turn',
    ({ exchange }) => exchange.turn?.assistantMessageId,
  ),
  column('client_message_id', 'Identifier of the message that was sent', ({ exchange }) => exchange.message?.id),
  column(
    'resend',
    'same or other: a resend of an earlier id with the same or other content; empty for a first sending',
    ({ exchange }) => exchange.resend,
  ),
  column('history_limit', 'Messages asked for by readHistory', ({ exchange }) => exchange.history?.limit),
  column('history_offset', 'Offset asked for by readHistory', ({ exchange }) => exchange.history?.offset),
  column('history_items', 'Messages received by readHistory', ({ exchange }) => exchange.history?.items.length),
  column('bytes_sent', 'Bytes of the request, headers included', ({ exchange }) => exchange.bytes.sent, 'bytes'),
  column(
    'bytes_received',
    'Bytes of the answer, headers included; of a stream those of its handshake',
    ({ exchange }) => exchange.bytes.received,
    'bytes',
  ),
  column('connection', 'Number of the connection; empty if there was none', ({ exchange }) => exchange.connection),
  column(
    'expect_checked',
    'Expectations checked of this answer; empty if there were none. Those of the last event of a stream are only in the journal and in summary.json',
    ({ exchange }) => exchange.expect?.checked,
  ),
  column('expect_unmet', 'Expectations not met', ({ exchange }) => exchange.expect?.unmet.length),
];
