import fc from 'fast-check';
import { operationIds, operations } from '../api/index.ts';
import type { Exchange, JournalRecord, StageRecord } from '../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';

/*
 * Histories for the collectors' exam: small, with few users, turns and messages, so that resends, several polls of one turn
 * and equal instants happen all the time.
 */

/** On a coarse grid, on which stages and the warm-up end, too. */
const micros = fc.nat({ max: 20 }).map((quarter) => us(quarter * 250_000));

const exchanges = fc
  .record({
    operation: fc.constantFrom(
      ...operationIds,
      ...Array<'sendMessage' | 'readTurn'>(8).fill('sendMessage').fill('readTurn', 4),
    ),
    application: fc.constantFrom('a1', 'a1', 'a2'),
    user: fc.constantFrom('u1', 'u2'),
    token: fc.constantFrom('t1', 't2'),
    arrival: fc.nat({ max: 3 }),
    attempt: fc.integer({ min: 1, max: 3 }),
    intendedAt: micros,
    late: fc.constantFrom(0, 0, 0, 250_000),
    took: fc.nat({ max: 2_000_000 }),
    outcome: fc.constantFrom<Exchange['outcome'][]>('answered', 'answered', 'refused', 'failed', 'censored'),
    /** Absent: the operation's status of success. */
    status: fc.constantFrom(undefined, undefined, undefined, 200, 401, 500),
    code: fc.constantFrom('rate_limited', 'concurrency_limited', 'daily_quota_exceeded', 'slow_down', 'busy'),
    turn: fc.constantFrom('t1', 't2', 't3'),
    turnStatus: fc.constantFrom('queued', 'processing', 'completed', 'failed'),
    message: fc.constantFrom('m1', 'm2', 'm3'),
    waits: fc.option(fc.constantFrom(0, 300, 250_000)),
    unmet: fc.array(fc.constantFrom('status was 500', 'no title'), { maxLength: 2 }),
    isNamed: fc.boolean(),
    bodyProblem: fc.option(fc.constantFrom('not-json', 'wrong-shape')),
  })
  .map((drawn): Omit<Exchange, 'seq'> => {
    const sentAt = us(drawn.intendedAt + drawn.late + (drawn.waits ?? 0));
    const answered = drawn.outcome === 'answered' || drawn.outcome === 'refused';
    const { seq: _, headersAt, status, ...plain } = exchange({ seq: 0, sentAt });
    return {
      ...plain,
      operation: drawn.operation,
      application: drawn.application,
      user: drawn.user,
      token: drawn.token,
      arrival: drawn.arrival,
      attempt: drawn.attempt,
      intendedAt: drawn.intendedAt,
      outcome: drawn.outcome,
      receivedAt: us(sentAt + drawn.took),
      expect: { checked: 2, unmet: drawn.unmet, ...(drawn.isNamed && { namedStatus: true }) },
      ...(answered && {
        headersAt: us(sentAt + Math.floor(drawn.took / 2)),
        status: drawn.outcome === 'refused' ? 429 : (drawn.status ?? operations[drawn.operation].success),
      }),
      ...(!answered && { failure: drawn.outcome === 'failed' ? 'ECONNRESET' : 'deadline' }),
      ...(drawn.outcome === 'refused' && {
        error: { code: drawn.code, retryable: true, requestId: 'r' },
        retryAfter: '1',
      }),
      ...(drawn.waits !== null && { capWaitUs: { inFlight: us(drawn.waits) } }),
      ...(drawn.bodyProblem !== null && { bodyProblem: drawn.bodyProblem }),
      ...(answered && { turn: { id: drawn.turn, status: drawn.turnStatus, latencyMs: 5 } }),
      ...(drawn.operation === 'sendMessage' && {
        conversation: 'c1',
        message: { id: drawn.message, digest: drawn.message },
      }),
    };
  });

const others: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('stream' as const),
    turn: fc.constantFrom('t1', 't2'),
    event: fc.constantFrom('opened', 'delta', 'completed', 'closed'),
    at: micros,
  }),
  fc.record({
    kind: fc.constant('stream' as const),
    turn: fc.constantFrom('t1', 't2'),
    event: fc.constant('closed' as const),
    at: micros,
    expect: fc.constantFrom({ checked: 2, unmet: ['status is 101'] }, { checked: 1, unmet: [] }),
    handshake: fc.record({ seq: fc.nat({ max: 40 }), sentAt: micros, intendedAt: micros }),
  }),
  fc.record({
    kind: fc.constant('drop' as const),
    intendedAt: micros,
    arrival: fc.nat({ max: 9 }),
    journey: fc.constant('ask'),
    reason: fc.constantFrom('cap', 'late'),
  }),
  fc.record({
    kind: fc.constant('drop' as const),
    intendedAt: micros,
    arrival: fc.nat({ max: 9 }),
    journey: fc.constant('ask'),
    reason: fc.constant('stopped'),
    count: fc.integer({ min: 2, max: 50 }),
    lastArrival: fc.integer({ min: 10, max: 60 }),
  }),
  fc.record({
    kind: fc.constant('sent' as const),
    seq: fc.nat({ max: 40 }),
    operation: fc.constant('readTurn' as const),
    at: micros,
  }),
  fc.record({
    kind: fc.constant('journey' as const),
    arrival: fc.nat({ max: 9 }),
    journey: fc.constantFrom('ask', 'read'),
    startedAt: micros,
    endedAt: micros,
    outcome: fc.constantFrom('completed', 'interrupted'),
  }),
);

/** Health records at distinct instants, as a worker writes them. */
const health = fc.uniqueArray(fc.nat({ max: 5_000_000 }), { maxLength: 4 }).map((instants) =>
  instants.map(
    (at): JournalRecord => ({
      kind: 'health',
      at: us(at),
      ...(at % 5 > 0 && { eventLoopP99Us: us(at % 900) }),
      gcUs: us(at % 70),
      backlog: at % 5,
      cpuUs: us(at % 1_000),
      ...(at % 2 === 0 && { eventLoopP50Us: us(at % 300), gcMaxUs: us(at % 60) }),
      ...(at % 3 === 0 && { connectionQueue: 1 + (at % 7) }),
      ...(at % 5 === 1 && { unasked: 1 + (at % 3) }),
    }),
  ),
);

/** The first one begins within the warm-up, where there is one; much is intended after the last one's end. */
const stages: readonly StageRecord[] = [
  { name: 'stair-1', fromUs: us(0), toUs: us(1_500_000), arrivalsPerMinute: { from: 10, to: 10 } },
  { name: 'stair-2', fromUs: us(1_500_000), toUs: us(2_500_000), arrivalsPerMinute: { from: 20, to: 20 } },
  { name: 'ramp', fromUs: us(2_500_000), toUs: us(4_000_000), arrivalsPerMinute: { from: 20, to: 40 } },
];

/** Header with a warm-up, a clock on which a day ends during the run, then everything else; the end last. */
export const histories: fc.Arbitrary<JournalRecord[]> = fc
  .record({
    warmUpUs: fc.constantFrom(0, 1_000_000),
    stages: fc.constantFrom(undefined, stages),
    /** Whether the scenario expects something that was never checked. */
    isUnchecked: fc.constantFrom(false, false, true),
    rate: fc.constantFrom(1, 60),
    exchanges: fc.array(exchanges, { maxLength: 25 }),
    others: fc.array(others, { maxLength: 12 }),
    health,
  })
  .map(({ warmUpUs, stages: told, isUnchecked, rate, exchanges: drawn, others: rest, health: healths }) => [
    header({ warmUpUs: us(warmUpUs), ...(told && { stages: told }), ...(isUnchecked && { expecting: ['ask'] }) }),
    { kind: 'clock', at: us(0), serviceUs: us(1_795_305_597_500_000), plusMinusUs: us(0), rate },
    ...[...drawn.map((one, seq): JournalRecord => ({ ...one, kind: 'exchange', seq })), ...rest].map((record) =>
      isUnchecked ? unchecked(record) : record,
    ),
    ...healths,
    end({ at: us(9_000_000), arrivals: 4, exchanges: drawn.length }),
  ]);

function unchecked(record: JournalRecord): JournalRecord {
  if (record.kind !== 'exchange' && record.kind !== 'stream') return record;
  const { expect: _, ...rest } = record;
  return rest;
}

/** A header and records that all belong to the warm-up, of every kind that a collector may look at. */
export const warmUpOnly: readonly JournalRecord[] = [
  header({ warmUpUs: us(1_000_000), stages, expecting: ['ask'] }),
  exchange({
    seq: 0,
    intendedAt: us(999_999),
    sentAt: us(1_000_001),
    expect: { checked: 1, unmet: ['status was 200'] },
    capWaitUs: { inFlight: us(2) },
  }),
  exchange({
    seq: 1,
    outcome: 'refused',
    status: 429,
    retryAfter: '1',
    error: { code: 'slow_down', retryable: true, requestId: 'r' },
  }),
  exchange({ seq: 2, outcome: 'failed', failure: 'ECONNRESET' }),
  exchange({ seq: 3, status: 500 }),
  accepted(4, 't1', 1_000, 2_000),
  poll(5, 't1', 'queued', 3_000, 4_000),
  poll(6, 't1', 'completed', 5_000, 6_000),
  { kind: 'drop', intendedAt: us(999_999), arrival: 3, journey: 'ask', reason: 'cap' },
  { kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(999_999), endedAt: us(2_000_000), outcome: 'completed' },
  { kind: 'health', at: us(500_000), eventLoopP99Us: us(900), gcUs: us(3_000), backlog: 0 },
];
