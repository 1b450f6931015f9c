import fc from 'fast-check';
import { operationIds } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import {
  type ClockRecord,
  type DropRecord,
  dropReasons,
  type EndRecord,
  type Exchange,
  type Header,
  type HealthRecord,
  HISTORY_FORMAT,
  HISTORY_VERSION,
  type JournalRecord,
  type JourneyRecord,
  type SentRecord,
  type StreamRecord,
} from '../../history/index.ts';

/*
 * Generators of journal records for property tests. Every optional member is sometimes absent.
 */

/** Any text, including lone surrogates, quotes and line breaks. */
const text = fc.string({ unit: 'binary', maxLength: 12 });
const name = fc.string({ minLength: 1, maxLength: 6 });
const micros = fc.integer({ min: 0, max: 86_400_000_000 }) as fc.Arbitrary<Micros>;
const count = fc.nat({ max: 1_000_000 });
const operation = fc.constantFrom(...operationIds);
const worker = fc.nat({ max: 3 });

type Optional<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Drawn<T> = { readonly [K in keyof T]-?: fc.Arbitrary<Exclude<T[K], undefined>> };

/**
 * Omits optional members instead of setting them to undefined, like real records. A member that is never drawn does not compile: no
 * law would say anything of it.
 */
function record<T extends object>(
  required: Drawn<Omit<T, Optional<T>>>,
  optional: Drawn<Pick<T, Optional<T>>>,
): fc.Arbitrary<T> {
  const model = { ...required, ...optional } as Record<string, fc.Arbitrary<unknown>>;
  return fc.record(model, { requiredKeys: Object.keys(required), noNullPrototype: true }) as unknown as fc.Arbitrary<T>;
}

const expectations = record<NonNullable<Exchange['expect']>>(
  { checked: count, unmet: fc.array(text, { maxLength: 3 }) },
  { namedStatus: fc.boolean() },
);
const names = fc.array(name, { maxLength: 3 });

export const headers = record<Header>(
  {
    kind: fc.constant('header'),
    format: fc.constant(HISTORY_FORMAT),
    version: fc.constant(HISTORY_VERSION),
    runId: name,
    startedAt: fc.constant('2026-11-21T12:00:00.000Z'),
    scenario: name,
    seed: count,
    profile: fc.constant({ name: 'sandbox' }),
    gates: fc.constant({}),
    warmUpUs: micros,
    limits: fc.constant({
      rate: { max: 20, windowUs: 60_000_000 as Micros, reading: 'unknown' },
      concurrency: { max: 2 },
      daily: { max: 50 },
    }),
    clock: fc.constant({ driftPpm: 0, granularityUs: 1_000 as Micros, maxServerDelayUs: 30_000_000 as Micros }),
    exclusive: fc.boolean(),
    flushed: fc.constant({ rate: true, concurrency: true, daily: false }),
    tool: fc.constant('spillway 0.1.0'),
    node: fc.constant('v20.20.0'),
  },
  {
    plan: name,
    expecting: names,
    timezones: names,
    journeys: names,
    applications: names,
    // In the order of time, and distinct.
    stages: fc.constant([
      { name: 'first', fromUs: 0 as Micros, toUs: 7 as Micros, users: { from: 1, to: 2 } },
      { name: 'second', fromUs: 7 as Micros, toUs: 9 as Micros, arrivalsPerMinute: { from: 2, to: 0.5 } },
    ]),
    generator: record<NonNullable<Header['generator']>>(
      {
        medianLagUs: micros,
        p99LagUs: micros,
        eventLoopUs: micros,
        lateShare: fc.double({ min: 0, max: 1, noNaN: true }),
        enforced: fc.boolean(),
      },
      {},
    ),
    workers: fc.integer({ min: 2, max: 8 }),
    round: record<NonNullable<Header['round']>>(
      { number: count, of: count, side: fc.constantFrom('base', 'candidate') },
      {},
    ),
  },
);

export const exchanges = record<Exchange>(
  {
    kind: fc.constant('exchange'),
    seq: count,
    operation,
    application: name,
    user: name,
    arrival: count,
    journey: name,
    step: fc.nat({ max: 20 }),
    attempt: fc.integer({ min: 1, max: 5 }),
    intendedAt: micros,
    sentAt: micros,
    receivedAt: micros,
    outcome: fc.constantFrom('answered', 'refused', 'failed', 'censored'),
    bytes: fc.record({ sent: count, received: count }, { noNullPrototype: true }),
  },
  {
    worker,
    token: name,
    conversation: fc.uuid(),
    capWaitUs: fc.record({ inFlight: micros, openTurns: micros }, { requiredKeys: [], noNullPrototype: true }),
    headersAt: micros,
    readLateUs: micros,
    status: fc.integer({ min: 100, max: 599 }),
    failure: text,
    bodyProblem: text,
    date: text,
    retryAfter: text,
    headers: fc.dictionary(name, text, { noNullPrototype: true }),
    error: record<NonNullable<Exchange['error']>>(
      { code: text },
      { retryable: fc.boolean(), requestId: fc.uuid(), lacks: fc.array(name, { maxLength: 2 }) },
    ),
    turn: record<NonNullable<Exchange['turn']>>(
      { id: fc.uuid() },
      {
        status: text,
        conversation: text,
        error: text,
        userMessageId: text,
        assistantMessageId: text,
        latencyMs: count,
        createdAt: text,
        updatedAt: text,
      },
    ),
    message: record<NonNullable<Exchange['message']>>({ id: text, digest: name }, { textDigest: name, text }),
    history: record<NonNullable<Exchange['history']>>(
      {
        limit: count,
        offset: count,
        items: fc.array(
          record<NonNullable<Exchange['history']>['items'][number]>(
            { id: fc.uuid(), role: text },
            { digest: name, createdAt: text },
          ),
          { maxLength: 3 },
        ),
      },
      {},
    ),
    otherwise: record<NonNullable<Exchange['otherwise']>>(
      {},
      {
        conversation: fc.uuid(),
        rating: fc.record({ sent: text, told: text, success: fc.boolean() }, { noNullPrototype: true }),
      },
    ),
    connection: count,
    resend: fc.constantFrom('same', 'other'),
    expect: expectations,
  },
).map((drawn) => (drawn.message === undefined ? drawn : { ...drawn, operation: 'sendMessage' as const }));

const clocks = record<ClockRecord>(
  {
    kind: fc.constant('clock'),
    at: micros,
    serviceUs: fc.integer({ min: 0, max: 2_000_000_000_000_000 }) as fc.Arbitrary<Micros>,
    plusMinusUs: micros,
    rate: fc.double({ min: 0.001, max: 100_000, noNaN: true }),
  },
  {},
);
const sents = record<SentRecord>({ kind: fc.constant('sent'), seq: count, operation, at: micros }, { worker });
const streams = record<StreamRecord>(
  {
    kind: fc.constant('stream'),
    turn: fc.uuid(),
    event: fc.constantFrom('opened', 'status', 'delta', 'completed', 'failed', 'closed', 'unknown'),
    at: micros,
  },
  {
    readLateUs: micros,
    sequence: count,
    status: text,
    reason: text,
    expect: expectations,
    handshake: record<NonNullable<StreamRecord['handshake']>>(
      { seq: count, sentAt: micros, intendedAt: micros },
      { journey: name },
    ),
    worker,
  },
);
const drops = record<DropRecord>(
  {
    kind: fc.constant('drop'),
    intendedAt: micros,
    arrival: count,
    journey: name,
    reason: fc.constantFrom(...dropReasons),
  },
  { worker, count, lastArrival: count },
);
const healths = record<HealthRecord>(
  { kind: fc.constant('health'), at: micros, gcUs: micros, backlog: count },
  {
    eventLoopP99Us: micros,
    scheduleLagP99Us: micros,
    cpuUs: micros,
    eventLoopP50Us: micros,
    eventLoopMaxUs: micros,
    eventLoopWaitUs: micros,
    gcMaxUs: micros,
    connectionQueue: count,
    unasked: count,
    unaskedOn: fc.array(count),
    worker,
  },
);
export const journeys = record<JourneyRecord>(
  {
    kind: fc.constant('journey'),
    arrival: count,
    journey: name,
    startedAt: micros,
    endedAt: micros,
    outcome: fc.constantFrom('completed', 'stopped', 'interrupted'),
  },
  {
    intendedAt: micros,
    stoppedAt: record<NonNullable<JourneyRecord['stoppedAt']>>({ operation, because: text }, {}),
    worker,
  },
);
export const ends = record<EndRecord>(
  {
    kind: fc.constant('end'),
    at: micros,
    arrivals: count,
    exchanges: count,
    streams: count,
    drops: count,
    complete: fc.boolean(),
  },
  { reason: text, gate: text },
);

/** Any record that may occur between header and end. */
export const innerRecords: fc.Arbitrary<JournalRecord> = fc.oneof(
  exchanges,
  clocks,
  sents,
  streams,
  drops,
  healths,
  journeys,
);
