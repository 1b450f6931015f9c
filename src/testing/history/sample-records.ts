import { bearerOperationIds, TargetProfileSchema } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { type EndRecord, type Exchange, type Header, HISTORY_FORMAT, HISTORY_VERSION } from '../../history/index.ts';

/*
 * Builders of journal records for tests, with simple defaults.
 */

export const us = (value: number) => value as Micros;

/** What a profile writes of each limit beside its numbers and its reading. What it does not write is unknown. */
export const written = {
  rate: {
    scope: 'application',
    counts: bearerOperationIds,
    countsReplays: true,
  },
  concurrency: { scope: 'application' },
  daily: { scope: 'application' },
} as const;

/** Names that the specification leaves open. */
export const historyNames = { limitParameter: 'limit', offsetParameter: 'offset' } as const;

/** Read once: that takes longer than all else in making a header. */
const profile = TargetProfileSchema.parse({
  errorCodes: { known: true },
  history: { keptFor: '7d', ...historyNames },
  idempotency: { scope: 'conversation' },
});

export function header(members: Partial<Header> = {}): Header {
  return {
    kind: 'header',
    format: HISTORY_FORMAT,
    version: HISTORY_VERSION,
    runId: 'run-1',
    startedAt: '2026-11-21T12:00:00.000Z',
    scenario: 'sample',
    seed: 7,
    profile,
    gates: {},
    warmUpUs: us(0),
    limits: {
      rate: { max: 20, windowUs: us(60_000_000), reading: 'unknown' },
      concurrency: { max: 2 },
      daily: { max: 50 },
    },
    clock: { driftPpm: 0, granularityUs: us(1_000), maxServerDelayUs: us(30_000_000) },
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    tool: 'spillway 0.1.0',
    node: 'v20.20.0',
    ...members,
  };
}

/** An exchange of readHistory answered with 200, by default intended and sent at 0 and received 1,000 µs later. */
export function exchange(members: Partial<Exchange> & { seq: number }): Exchange {
  const sentAt = members.sentAt ?? members.intendedAt ?? us(0);
  return {
    kind: 'exchange',
    operation: 'readHistory',
    application: 'a1',
    user: 'u1',
    arrival: 0,
    journey: 'ask',
    step: 0,
    attempt: 1,
    intendedAt: sentAt,
    sentAt,
    headersAt: us(sentAt + 900),
    receivedAt: us(sentAt + 1_000),
    outcome: 'answered',
    status: 200,
    bytes: { sent: 100, received: 200 },
    ...members,
  };
}

/** A message that was accepted as a turn. */
export function accepted(
  seq: number,
  turn: string,
  sentAt: number,
  headersAt: number,
  members: Partial<Exchange> = {},
): Exchange {
  return exchange({
    seq,
    operation: 'sendMessage',
    sentAt: us(sentAt),
    headersAt: us(headersAt),
    receivedAt: us(headersAt),
    status: 202,
    conversation: 'c1',
    turn: { id: turn, status: 'queued' },
    message: { id: `m-${turn}`, digest: `d-${turn}` },
    ...members,
  });
}

/** A poll of a turn. */
export function poll(
  seq: number,
  turn: string,
  status: string,
  sentAt: number,
  headersAt: number,
  members: Partial<Exchange> = {},
): Exchange {
  return exchange({
    seq,
    operation: 'readTurn',
    sentAt: us(sentAt),
    headersAt: us(headersAt),
    receivedAt: us(headersAt),
    turn: { id: turn, status },
    ...members,
  });
}

/** A refused message. @param code error code that names the limit; default none */
export const refused = (seq: number, sentAt: number, code?: string, members: Partial<Exchange> = {}): Exchange =>
  exchange({
    seq,
    operation: 'sendMessage',
    sentAt: us(sentAt),
    headersAt: us(sentAt + 1_000),
    receivedAt: us(sentAt + 1_000),
    outcome: 'refused',
    status: 429,
    conversation: 'c1',
    message: { id: `refused-${seq}`, digest: `refused-${seq}` },
    ...(code !== undefined && { error: { code, retryable: true, requestId: 'r' } }),
    ...members,
  });

export function end(members: Partial<EndRecord> = {}): EndRecord {
  return { kind: 'end', at: us(0), arrivals: 0, exchanges: 0, streams: 0, drops: 0, complete: true, ...members };
}
