import { sandboxProfile } from '../../api/index.ts';
import type { Exchange, Header, JournalRecord } from '../../history/index.ts';
import { header as sampleHeader, us } from '../../testing/history/sample-records.ts';

/** Journals with which every exporter is tested. */

export const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const profile = sandboxProfile();

export const header = (members: Partial<Header> = {}): Header =>
  sampleHeader({
    runId: uuid(999),
    // As in the header of a run against the embedded sandbox.
    profile: { ...profile, errorCodes: { ...profile.errorCodes, known: true } },
    node: 'v20.20.2',
    ...members,
  });

export const clock: JournalRecord = {
  kind: 'clock',
  at: us(0),
  serviceUs: us(Date.UTC(2026, 10, 21, 12) * 1_000),
  plusMinusUs: us(0),
  rate: 1,
};

/** An exchange that is answered with 200 after 5 ms, with the given overrides. */
export const exchange = (seq: number, members: Partial<Exchange> = {}): Exchange => ({
  kind: 'exchange',
  seq,
  operation: 'readTurn',
  application: 'a1',
  user: 'u1',
  token: 't1',
  arrival: 0,
  journey: 'ask',
  step: 0,
  attempt: 1,
  intendedAt: us(seq * 10_000),
  sentAt: us(seq * 10_000 + 100),
  receivedAt: us(seq * 10_000 + 5_100),
  outcome: 'answered',
  bytes: { sent: 300, received: 500 },
  ...members,
});

const withoutToken = ({ token: _, ...rest }: Exchange): Exchange => rest;

export const end = (exchanges: number, at: number, drops = 0): JournalRecord => ({
  kind: 'end',
  at: us(at),
  arrivals: exchanges === 0 ? 0 : 1 + drops,
  exchanges,
  streams: 0,
  drops,
  complete: true,
});

/** A run in which nothing was sent. */
export const emptyRun: readonly JournalRecord[] = [header(), clock, end(0, 1_000_000)];

/** A run without any answer: no status, no headers, no error. */
export const censoredRun: readonly JournalRecord[] = [
  header(),
  clock,
  ...[0, 1, 2].map((seq) =>
    exchange(seq, { outcome: 'censored', failure: 'deadline', receivedAt: us(seq * 10_000 + 10_000_100) }),
  ),
  end(3, 11_000_000),
];

const turn = uuid(100);
const accepted = {
  conversation: uuid(1),
  turn: { id: turn, status: 'queued' },
  message: { id: uuid(50), digest: 'd0' },
} as const;

/** A run of 12 s with all kinds of records; the source of the golden files. */
export const sampleRun: readonly JournalRecord[] = [
  header({
    warmUpUs: us(1_000),
    stages: [
      { name: 'quiet', fromUs: us(0), toUs: us(30_000), arrivalsPerMinute: { from: 6, to: 6 } },
      { name: 'climb.stair-1', fromUs: us(30_000), toUs: us(60_000), arrivalsPerMinute: { from: 12, to: 12 } },
      { name: 'climb.stair-2', fromUs: us(60_000), toUs: us(12_000_000), arrivalsPerMinute: { from: 24, to: 24 } },
    ],
  }),
  clock,
  withoutToken(
    exchange(0, {
      operation: 'issueToken',
      intendedAt: us(0),
      sentAt: us(12),
      headersAt: us(5_100),
      receivedAt: us(5_123),
      status: 201,
    }),
  ),
  exchange(1, {
    operation: 'createConversation',
    step: 1,
    conversation: uuid(1),
    intendedAt: us(5_123),
    sentAt: us(5_200),
    headersAt: us(8_000),
    receivedAt: us(8_010),
    status: 201,
    connection: 1,
  }),
  exchange(2, {
    operation: 'sendMessage',
    step: 2,
    intendedAt: us(8_010),
    capWaitUs: { openTurns: us(1_500), requestsPerMinute: us(250) },
    sentAt: us(9_800),
    headersAt: us(15_000),
    receivedAt: us(15_200),
    status: 202,
    date: 'Sat, 21 Nov 2026 12:00:00 GMT',
    connection: 1,
    ...accepted,
  }),
  { kind: 'stream', turn, event: 'opened', at: us(20_000) },
  exchange(3, {
    step: 3,
    intendedAt: us(1_015_000),
    sentAt: us(1_015_050),
    headersAt: us(1_018_000),
    receivedAt: us(1_018_100),
    status: 200,
    turn: { id: turn, status: 'processing' },
  }),
  { kind: 'stream', turn, event: 'delta', sequence: 1, at: us(1_500_000) },
  exchange(4, {
    step: 3,
    intendedAt: us(2_015_000),
    sentAt: us(2_015_080),
    headersAt: us(2_019_000),
    receivedAt: us(2_019_500),
    status: 200,
    turn: { id: turn, status: 'completed', userMessageId: uuid(61), assistantMessageId: uuid(62), latencyMs: 812 },
  }),
  exchange(5, {
    operation: 'sendMessage',
    step: 4,
    intendedAt: us(2_020_000),
    sentAt: us(2_020_100),
    headersAt: us(2_021_000),
    receivedAt: us(2_021_100),
    outcome: 'refused',
    status: 429,
    conversation: uuid(1),
    message: { id: uuid(51), digest: 'd1' },
    error: { code: 'rate_limited', retryable: true, requestId: uuid(70) },
    retryAfter: '2',
    headers: { ratelimit: '"minute";r=0;t=2' },
  }),
  exchange(6, {
    operation: 'readHistory',
    step: 5,
    conversation: uuid(1),
    intendedAt: us(4_100_000),
    sentAt: us(4_100_050),
    headersAt: us(4_103_000),
    receivedAt: us(4_104_000),
    status: 200,
    history: {
      limit: 20,
      offset: 0,
      items: [{ id: uuid(61), role: 'user', digest: 'd0', createdAt: '2026-11-21T12:00:00.000Z' }],
    },
    expect: { checked: 2, unmet: ['messages.0.role is "user", not "assistant"'] },
  }),
  exchange(7, {
    operation: 'rateAnswer',
    step: 6,
    intendedAt: us(5_000_000),
    sentAt: us(5_000_100),
    receivedAt: us(5_200_100),
    outcome: 'failed',
    failure: 'ECONNRESET',
    bytes: { sent: 210, received: 0 },
  }),
  exchange(8, {
    operation: 'rateAnswer',
    step: 6,
    attempt: 2,
    intendedAt: us(5_300_000),
    sentAt: us(5_300_100),
    receivedAt: us(11_300_100),
    outcome: 'censored',
    failure: 'deadline',
    bytes: { sent: 210, received: 0 },
  }),
  {
    kind: 'health',
    at: us(5_000_000),
    eventLoopP99Us: us(900),
    scheduleLagP99Us: us(120),
    gcUs: us(3_000),
    backlog: 0,
    cpuUs: us(400_000),
  },
  { kind: 'drop', intendedAt: us(9_000_000), arrival: 1, journey: 'ask', reason: 'max-in-flight' },
  {
    kind: 'journey',
    arrival: 0,
    journey: 'ask',
    startedAt: us(0),
    endedAt: us(11_300_100),
    outcome: 'stopped',
    stoppedAt: { operation: 'rateAnswer', because: 'deadline' },
  },
  { kind: 'end', at: us(12_000_000), arrivals: 2, exchanges: 9, streams: 1, drops: 1, complete: true },
];
