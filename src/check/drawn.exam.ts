import { type LimitName, operationIds, TargetProfileSchema } from '../api/index.ts';
import { type Random, seededRandom } from '../base/index.ts';
import type { Exchange, Header, JournalRecord, StreamRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { readingNames } from './readings/index.ts';

/**
 * Small journals drawn at random. Their times are so coarse that decisions, turns, windows and days often coincide; the journals
 * need not make sense.
 */

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;
const NOON = Date.UTC(2026, 10, 21, 12) * 1_000;

export interface DrawnKind {
  /** The limit that is tested. */
  readonly about: LimitName;
  /** Times are multiples of `unitUs`, at most `units` of them. */
  readonly unitUs: number;
  readonly units: number;
  readonly limits: Header['limits'];
  /** Operations to draw from; the more often one is listed, the more often it is sent. */
  readonly operations: readonly Exchange['operation'][];
  /** Whether every message has its own turn and nearly all answers are regular. */
  readonly orderly?: true;
  /** Whether the profile declares what counts and a reading. */
  readonly declared?: true;
}

export const drawnKinds: Readonly<Record<'rate' | 'declared' | 'slots' | 'turns' | 'days', DrawnKind>> = {
  rate: {
    about: 'rate',
    unitUs: 3 * SECOND,
    units: 60,
    limits: limitsOf(3, 5, 50),
    operations: ['readHistory', 'readHistory', 'readHistory', 'sendMessage', 'rateAnswer', 'issueToken'],
  },
  declared: {
    about: 'rate',
    unitUs: 2 * SECOND,
    units: 45,
    limits: limitsOf(3, 2, 3),
    operations: ['readHistory', 'readHistory', 'readTurn', 'sendMessage', 'createConversation', 'openStream'],
    declared: true,
  },
  slots: {
    about: 'concurrency',
    unitUs: SECOND / 10,
    units: 40,
    limits: limitsOf(20, 2, 50),
    operations: ['sendMessage', 'sendMessage', 'readTurn', 'readTurn', 'readTurn', 'openStream'],
  },
  turns: {
    about: 'concurrency',
    unitUs: SECOND,
    units: 12,
    limits: limitsOf(20, 1, 50),
    operations: ['sendMessage', 'readTurn', 'readTurn'],
    orderly: true,
  },
  days: {
    about: 'daily',
    unitUs: HOUR / 2,
    units: 150,
    limits: limitsOf(20, 20, 3),
    operations: ['sendMessage', 'sendMessage', 'sendMessage', 'sendMessage', 'readHistory'],
  },
};

function limitsOf(rate: number, concurrency: number, daily: number): Header['limits'] {
  return {
    rate: { max: rate, windowUs: us(60 * SECOND), reading: 'unknown' },
    concurrency: { max: concurrency },
    daily: { max: daily },
  };
}

/** The journal for a kind and a seed; the same arguments give the same journal. */
export function drawnJournal(kind: DrawnKind, seed: number): JournalRecord[] {
  const random = seededRandom(seed, 'drawn journal', String(kind.unitUs));
  const among = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
  const count = 6 + random.integer(20);
  const exchanges = Array.from({ length: count }, (_, seq) => drawnExchange(kind, random, among, seq));
  const events = Array.from(
    { length: random.integer(4) },
    (_, sequence): StreamRecord => ({
      kind: 'stream',
      turn: `t${random.integer(4)}`,
      event: among(['opened', 'delta', 'completed', 'failed']),
      sequence,
      at: us(random.integer(kind.units) * kind.unitUs),
    }),
  );
  const clocks: JournalRecord[] =
    random.next() < 0.8
      ? [{ kind: 'clock', at: us(0), serviceUs: us(NOON), plusMinusUs: us(among([0, 0, SECOND])), rate: 1 }]
      : [];
  return [drawnHeader(kind, random, among), ...clocks, ...exchanges, ...events, end({ exchanges: count })];
}

type Among = <T>(values: readonly T[]) => T;

function drawnHeader({ limits, declared }: DrawnKind, random: Random, among: Among): Header {
  const flushed = random.next() < 0.7;
  const slot = among(['accepted-to-finished', 'processing-only'] as const);
  const declares = random.next() < 0.5;
  const rate = declared ? declaredRate(among) : {};
  return header({
    limits: declared ? { ...limits, rate: { ...limits.rate, reading: among(readingNames('rate')) } } : limits,
    profile: TargetProfileSchema.parse({
      errorCodes: { known: true },
      limitOrder: ['rate', 'daily', 'concurrency'],
      idempotency: { scope: 'conversation', sameTurn: random.next() < 0.7 },
      limits: {
        rate: { scope: among(['application', 'user', 'token']), countsReplays: random.next() < 0.7, ...rate },
        concurrency: { scope: among(['application', 'user']), ...(declares && { slot, reading: 'semaphore' }) },
        daily: {
          scope: 'application',
          ...(declares && { reading: among(['utc', 'token-timezone', 'first-use', 'rolling']) }),
        },
      },
    }),
    clock: {
      driftPpm: among([0, 0, 500]),
      granularityUs: us(among([0, 0, SECOND])),
      maxServerDelayUs: us(30 * SECOND),
    },
    exclusive: random.next() < 0.9,
    flushed: { rate: flushed, concurrency: flushed, daily: flushed },
  });
}

function declaredRate(among: Among) {
  const [invalid, refusedLater] = [among([undefined, true, false]), among([undefined, true, false])];
  return {
    scope: among(['application', 'user', 'token', 'conversation', 'address']),
    counts: among([['readHistory'], ['readHistory', 'sendMessage', 'readTurn'], [...operationIds]]),
    countsRefused: among([false, false, true]),
    ...(invalid !== undefined && { countsInvalid: invalid }),
    ...(refusedLater !== undefined && { countsRefusedLater: refusedLater }),
  };
}

const statuses = ['queued', 'processing', 'processing', 'completed', 'failed'];
const orderlyStatuses = ['queued', ...Array<string>(6).fill('processing'), 'completed'];

function drawnExchange(
  { unitUs, units, operations, orderly }: DrawnKind,
  random: Random,
  among: Among,
  seq: number,
): Exchange {
  const operation = among(operations);
  // In an orderly journal messages come first.
  const sentAt = random.integer(orderly && operation === 'sendMessage' ? units / 3 : units) * unitUs;
  const headersAt = us(sentAt + among([0, 0, 1, 2]) * unitUs);
  const k = random.integer(orderly ? 5 : 7);
  const base = exchange({
    seq,
    operation,
    user: among(['u1', 'u1', 'u2']),
    ...(operation !== 'issueToken' && { token: among(['k1', 'k1', 'k2']) }),
    ...(random.next() < 0.8 && { conversation: among(['c1', 'c1', 'c2']) }),
    sentAt: us(sentAt),
    headersAt,
    receivedAt: headersAt,
    status: { sendMessage: 202, issueToken: 201, createConversation: 201, openStream: 101 }[operation as string] ?? 200,
    ...(operation === 'sendMessage' && {
      message: orderly
        ? { id: `m${k}`, digest: `d${k}` }
        : { id: `m${k}`, digest: `d${random.integer(4) === 0 ? random.integer(9) : k}` },
      turn: { id: `t${!orderly && random.integer(9) === 0 ? 0 : k}`, status: 'queued' },
    }),
    ...((operation === 'readTurn' || operation === 'openStream') && {
      turn: { id: `t${k}`, status: among(orderly ? orderlyStatuses : statuses) },
    }),
    ...(random.next() < 0.05 && operation === 'sendMessage' && { resend: 'sameContent' as never }),
    ...(orderly && { user: k === 4 ? 'u2' : 'u1', token: k === 4 ? 'k2' : 'k1', conversation: 'c1' }),
  });
  return fated(base, random.next() * (orderly ? 0.8 : 1), among);
}

/** Most answers are regular. */
function fated(base: Exchange, fate: number, among: Among): Exchange {
  if (fate < 0.6) return base;
  const { turn: _, ...bare } = base;
  if (fate < 0.65) return { ...bare, status: among([404, 422, 500]) };
  const { headersAt: __, status: ___, ...unanswered } = bare;
  if (fate < 0.7) return { ...unanswered, outcome: 'failed', failure: 'ECONNRESET' };
  const code = among(['rate_limited', 'concurrency_limited', 'daily_quota_exceeded', 'busy']);
  return { ...bare, outcome: 'refused', status: 429, error: { code, retryable: true, requestId: '' } };
}
