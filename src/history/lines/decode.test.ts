import { expect, it } from 'vitest';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import type {
  ClockRecord,
  DropRecord,
  EndRecord,
  Exchange,
  Header,
  HealthRecord,
  JournalRecord,
  JourneyRecord,
  SentRecord,
  StreamRecord,
} from '../records.ts';
import { decodeLine } from './decode.ts';

/** Values that a member of a type may not have. */
const wrong = {
  time: ['7', 1.5, 2 ** 53, null],
  count: ['7', 1.5, -1, null],
  limit: ['7', 1.5, 0, null],
  window: ['60000000', 999, 1_000.5, null],
  drift: ['0', -1, 100_001, null],
  number: ['7', null],
  speed: ['7', 0, -1, 100_001, null],
  text: [7, null, ['a']],
  texts: ['a', [7], null],
  boolean: ['true', 1, null],
  operation: ['deleteAll', 7, null],
  outcome: ['lost', 7, null],
  object: ['x', 7, ['x'], null],
  list: ['x', {}, null],
  times: [{ inFlight: '7' }, [7], 'x', null],
  instant: ['yesterday', 7, null],
  side: ['other', null],
  /** Readers expect anything. */
  anything: [],
} as const;
type Type = keyof typeof wrong;
type Told = Type | `${Type}?`;
/** A member that is missing here does not compile. */
type Members<R> = { readonly [Name in Exclude<keyof R, 'kind'>]-?: Told } & {
  readonly [path: `${string}.${string}`]: Told;
};
const kind = <R extends JournalRecord>(record: R, members: Members<R>) => [record.kind, record, members] as const;

const load = { arrivalsPerMinute: { from: 1, to: 2 }, users: { from: 3, to: 4 } };

/** A record of each kind, and the types of its members; `?`: it may be absent. */
const kinds = [
  kind<Header>(
    header({
      plan: 'p',
      expecting: ['ask'],
      timezones: ['UTC'],
      journeys: ['ask'],
      applications: ['a1'],
      stages: [{ name: 'first', fromUs: us(0), toUs: us(5), ...load }],
      round: { number: 1, of: 2, side: 'base' },
      generator: { medianLagUs: us(1), p99LagUs: us(2), eventLoopUs: us(3), lateShare: 0.1, enforced: true },
      clock: { driftPpm: 0, granularityUs: us(1_000), maxServerDelayUs: us(30_000_000), rate: 60 },
    }),
    {
      ...{ format: 'text', version: 'number', runId: 'text', startedAt: 'instant', scenario: 'text', seed: 'number' },
      ...{
        plan: 'text?',
        warmUpUs: 'count',
        exclusive: 'boolean',
        flushed: 'object',
        'flushed.rate': 'boolean?',
        'flushed.concurrency': 'boolean?',
        'flushed.daily': 'boolean?',
        tool: 'text',
        node: 'text',
        profile: 'anything?',
        gates: 'anything?',
        workers: 'anything?',
      },
      ...{ expecting: 'texts?', timezones: 'texts?', journeys: 'texts?', applications: 'texts?' },
      ...{ limits: 'object', 'limits.rate': 'object', 'limits.rate.max': 'limit', 'limits.rate.windowUs': 'window' },
      ...{ 'limits.concurrency': 'object', 'limits.concurrency.max': 'limit' },
      ...{ 'limits.daily': 'object', 'limits.daily.max': 'limit' },
      ...{ clock: 'object', 'clock.driftPpm': 'drift', 'clock.granularityUs': 'count' },
      ...{ 'clock.maxServerDelayUs': 'count', 'clock.rate': 'speed?' },
      ...{ stages: 'list?', 'stages.0': 'object', 'stages.0.name': 'text' },
      ...{ 'stages.0.fromUs': 'count', 'stages.0.toUs': 'count' },
      ...{ 'stages.0.arrivalsPerMinute': 'object?', 'stages.0.users': 'object?' },
      ...{ 'stages.0.arrivalsPerMinute.from': 'number', 'stages.0.arrivalsPerMinute.to': 'number' },
      ...{ 'stages.0.users.from': 'number', 'stages.0.users.to': 'number' },
      ...{ round: 'object?', 'round.number': 'count', 'round.of': 'count', 'round.side': 'side' },
      ...{ generator: 'object?', 'generator.medianLagUs': 'time', 'generator.p99LagUs': 'time' },
      ...{ 'generator.eventLoopUs': 'time', 'generator.lateShare': 'number', 'generator.enforced': 'boolean' },
    },
  ),
  kind<ClockRecord>(
    { kind: 'clock', at: us(0), serviceUs: us(7), plusMinusUs: us(0), rate: 1 },
    { at: 'time', serviceUs: 'time', plusMinusUs: 'count', rate: 'speed' },
  ),
  kind<SentRecord>(
    { kind: 'sent', seq: 1, operation: 'readTurn', at: us(5), worker: 2 },
    { seq: 'count', operation: 'operation', at: 'time', worker: 'count?' },
  ),
  kind<Exchange>(
    accepted(0, 't', 1_000, 2_000, {
      ...{ worker: 1, token: 'k', capWaitUs: { inFlight: us(7) }, failure: 'deadline', bodyProblem: 'not-json' },
      error: { code: 'busy', lacks: ['message'] },
      turn: {
        id: 't',
        status: 'queued',
        conversation: 'c',
        userMessageId: 'm',
        assistantMessageId: 'n',
        latencyMs: 0.5,
      },
      history: { limit: 20, offset: 0, items: [] },
      otherwise: { conversation: 'c', rating: { sent: 'up', told: 'down', success: true } },
      expect: { checked: 1, unmet: ['a'], namedStatus: true },
    }),
    {
      ...{ seq: 'count', worker: 'count?', operation: 'operation', application: 'text', user: 'text', token: 'text?' },
      ...{ conversation: 'text?', arrival: 'count', journey: 'text', step: 'count', attempt: 'count' },
      ...{ intendedAt: 'time', capWaitUs: 'times?', sentAt: 'time', headersAt: 'time?', receivedAt: 'time' },
      readLateUs: 'time?',
      ...{ outcome: 'outcome', status: 'count?', failure: 'text?', bodyProblem: 'text?' },
      ...{ bytes: 'object', 'bytes.sent': 'count', 'bytes.received': 'count', date: 'text?', retryAfter: 'text?' },
      ...{ headers: 'anything?', connection: 'anything?', resend: 'anything?' },
      ...{ error: 'object?', 'error.code': 'text', 'error.lacks': 'texts?' },
      ...{
        turn: 'object?',
        'turn.id': 'text',
        'turn.status': 'text?',
        'turn.error': 'text?',
        'turn.createdAt': 'text?',
        'turn.updatedAt': 'text?',
        'turn.latencyMs': 'number?',
      },
      ...{ 'turn.conversation': 'text?', 'turn.userMessageId': 'text?', 'turn.assistantMessageId': 'text?' },
      ...{ message: 'object?', 'message.id': 'text', 'message.digest': 'text' },
      ...{ 'message.textDigest': 'text?', 'message.text': 'text?' },
      ...{ history: 'object?', 'history.limit': 'count', 'history.offset': 'count', 'history.items': 'list' },
      ...{ otherwise: 'object?', 'otherwise.conversation': 'text?', 'otherwise.rating': 'object?' },
      ...{ 'otherwise.rating.sent': 'text', 'otherwise.rating.told': 'text', 'otherwise.rating.success': 'boolean' },
      ...{ expect: 'object?', 'expect.checked': 'count', 'expect.unmet': 'texts', 'expect.namedStatus': 'boolean?' },
    },
  ),
  kind<StreamRecord>(
    {
      ...{ kind: 'stream', turn: 't', event: 'closed', at: us(9), worker: 1, expect: { checked: 1, unmet: [] } },
      ...{ readLateUs: us(3), sequence: 4, status: 'completed', reason: 'completed' },
      handshake: { seq: 1, sentAt: us(1), intendedAt: us(1), journey: 'ask' },
    },
    {
      ...{ turn: 'text', event: 'text', at: 'time', worker: 'count?', expect: 'object?', 'expect.checked': 'count' },
      ...{ readLateUs: 'time?', sequence: 'count?', status: 'text?', reason: 'text?' },
      ...{ handshake: 'object?', 'handshake.seq': 'count', 'handshake.sentAt': 'time' },
      ...{ 'handshake.intendedAt': 'time', 'handshake.journey': 'text?' },
    },
  ),
  kind<DropRecord>(
    {
      ...{ kind: 'drop', intendedAt: us(7), arrival: 3, journey: 'ask', reason: 'stopped', count: 9 },
      ...{ lastArrival: 11, worker: 1 },
    },
    {
      ...{ intendedAt: 'time', arrival: 'count', journey: 'text', reason: 'text' },
      ...{ count: 'count?', lastArrival: 'count?', worker: 'count?' },
    },
  ),
  kind<HealthRecord>(
    {
      ...{ kind: 'health', at: us(9), eventLoopP99Us: us(4), eventLoopP50Us: us(3), eventLoopMaxUs: us(6) },
      ...{
        eventLoopWaitUs: us(2),
        gcUs: us(5),
        gcMaxUs: us(1),
        backlog: 0,
        connectionQueue: 1,
        unasked: 1,
        unaskedOn: [4],
        cpuUs: us(8),
        worker: 1,
      },
    },
    {
      ...{ at: 'time', eventLoopP99Us: 'time?', eventLoopP50Us: 'time?', eventLoopMaxUs: 'time?' },
      ...{ eventLoopWaitUs: 'time?', gcUs: 'time' },
      ...{
        gcMaxUs: 'time?',
        backlog: 'count',
        connectionQueue: 'count?',
        unasked: 'count?',
        unaskedOn: 'list?',
        cpuUs: 'time?',
      },
      ...{ scheduleLagP99Us: 'time?', worker: 'count?' },
    },
  ),
  kind<JourneyRecord>(
    {
      ...{ kind: 'journey', arrival: 0, journey: 'ask', intendedAt: us(0), startedAt: us(0), endedAt: us(9) },
      ...{ outcome: 'stopped', stoppedAt: { operation: 'readTurn', because: '500' }, worker: 1 },
    },
    {
      ...{ arrival: 'count', journey: 'text', intendedAt: 'time?', startedAt: 'time', endedAt: 'time' },
      ...{ outcome: 'outcome', worker: 'count?' },
      ...{ stoppedAt: 'object?', 'stoppedAt.operation': 'operation', 'stoppedAt.because': 'text' },
    },
  ),
  kind<EndRecord>(end({ complete: false, reason: 'gate', gate: 'g' }), {
    ...{ at: 'time', arrivals: 'count', exchanges: 'count', streams: 'count', drops: 'count' },
    ...{ complete: 'boolean', reason: 'text?', gate: 'text?' },
  }),
];

/** The line of a record in which one member has another value; absent: `undefined`. */
function lineWith(record: JournalRecord, path: string, value: unknown): string {
  const copy = structuredClone(record) as unknown as Record<string, unknown>;
  const names = path.split('.');
  const parent = names.slice(0, -1).reduce((at, name) => at[name] as Record<string, unknown>, copy);
  parent[names.at(-1) ?? ''] = value;
  return JSON.stringify(copy);
}

it.each(kinds)('a line is a %s if each of its members is what it has to be', (_, record, members) => {
  const read = decodeLine(JSON.stringify({ ...record, colour: 'blue' }));
  expect(read).toEqual({ ...record, colour: 'blue' });
  for (const [path, told] of Object.entries(members)) {
    for (const value of wrong[told.replace('?', '') as Type])
      expect(decodeLine(lineWith(record, path, value)), `${path}: ${JSON.stringify(value)}`).toBe('bad');
    const without = decodeLine(lineWith(record, path, undefined));
    expect(without === 'bad', `without ${path}`).toBe(!told.endsWith('?'));
  }
});

it('an exchange of an operation that sends no message has none', () => {
  const message = { id: 'm', digest: 'd' };
  const line = (one: Partial<Exchange>) => JSON.stringify(exchange({ seq: 0, ...one }));
  expect(decodeLine(line({ operation: 'sendMessage', message }))).toMatchObject({ operation: 'sendMessage', message });
  expect(decodeLine(line({ operation: 'readTurn', message }))).toBe('bad');
  expect(decodeLine(line({ operation: 'readTurn' }))).toMatchObject({ operation: 'readTurn' });
});

it('an exchange is one for each outcome, and no record with an unknown kind', () => {
  for (const outcome of ['answered', 'refused', 'failed', 'censored'] as const)
    expect(decodeLine(JSON.stringify(exchange({ seq: 0, outcome })))).toMatchObject({ outcome });
  expect(['{"kind":"weather"}', '{"kind":7}', '{}', '7', 'null', '', ' \t'].map(decodeLine)).toEqual([
    ...['unknown-kind', 'bad', 'bad', 'bad', 'bad', 'blank', 'blank'],
  ]);
});
