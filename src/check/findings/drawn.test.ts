import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { type Random, seededRandom } from '../../base/index.ts';
import type { Exchange, JournalRecord, StreamRecord } from '../../history/index.ts';
import { end, exchange, header, historyNames, us } from '../../testing/history/sample-records.ts';
import { findingsIn } from './finding.exam.ts';

/*
 * What is found in journals drawn at random, whose services advise, page, promise and contradict themselves; on times so coarse
 * that answers meet at their edges all the time. That it is still found, is for the golden files to tell. Where that is meant
 * to be otherwise, npx vitest run src/check --update, and read the diff.
 */

const JOURNALS = 150;
const SECOND = 1_000_000;

type Among = <T>(values: readonly T[]) => T;

interface Draw {
  readonly random: Random;
  readonly among: Among;
}

function journal(seed: number, kind: string, make: (draw: Draw, seq: number) => Partial<Exchange>): JournalRecord[] {
  const random = seededRandom(seed, 'drawn findings', kind);
  const among: Among = (values) => values[random.integer(values.length)] as never;
  const draw = { random, among };
  const count = 5 + random.integer(16);
  const exchanges = Array.from({ length: count }, (_, seq) => drawn(draw, seq, make(draw, seq)));
  const events = Array.from(
    { length: random.integer(5) },
    (): StreamRecord => ({
      kind: 'stream',
      turn: `t${random.integer(3)}`,
      event: among(['opened', 'status', 'delta', 'completed', 'failed', 'closed']),
      sequence: random.integer(4),
      at: us(random.integer(30) * SECOND),
    }),
  );
  const head = header({
    profile: TargetProfileSchema.parse({
      errorCodes: { known: true },
      idempotency: {
        scope: among(['conversation', 'user', 'application']),
        sameTurn: random.next() < 0.5,
        otherContent: among(['refused', 'ignored', 'unknown']),
      },
      history: { ...historyNames, defaultLimit: among([2, 3, 20]), keptFor: '7d' },
    }),
    limits: {
      rate: { max: 4, windowUs: us(20 * SECOND), reading: 'unknown' },
      concurrency: { max: 2 },
      daily: { max: 3 },
    },
    clock: { driftPpm: among([0, 500]), granularityUs: us(among([0, SECOND])), maxServerDelayUs: us(30 * SECOND) },
    exclusive: random.next() < 0.95,
    flushed: { rate: random.next() < 0.9, concurrency: true, daily: random.next() < 0.9 },
  });
  const clock = {
    kind: 'clock',
    at: us(0),
    serviceUs: us(Date.UTC(2026, 10, 21, 12) * 1_000),
    plusMinusUs: us(0),
    rate: 1,
  } as const;
  const complete = random.next() < 0.95;
  const streams = events.filter((record) => record.kind === 'stream' && record.event === 'opened').length;
  return [head, clock, ...exchanges, ...events, end({ exchanges: count, streams, complete })];
}

function drawn({ random, among }: Draw, seq: number, members: Partial<Exchange>): Exchange {
  const sentAt = random.integer(30) * SECOND;
  const at = us(sentAt + among([0, 0, 0.5, 1, 3]) * SECOND);
  return exchange({
    seq,
    user: among(['u1', 'u1', 'u1', 'u2']),
    token: among(['k1', 'k1', 'k2']),
    conversation: among(['c1', 'c1', 'c2']),
    arrival: random.integer(2),
    sentAt: us(sentAt),
    headersAt: at,
    receivedAt: at,
    ...members,
  });
}

const refused = (code: string | undefined, members: Partial<Exchange> = {}): Partial<Exchange> => ({
  outcome: 'refused',
  status: 429,
  ...(code !== undefined && { error: { code, retryable: true, requestId: '' } }),
  ...members,
});

/** What a service says of its limits, at times wrongly, at times unreadably. */
function fieldsOf({ random, among }: Draw): Record<string, string> {
  const [left, reset] = [random.integer(5), among([0, 1, 5, 20, 30])];
  return among<Record<string, string>>([
    {},
    { ratelimit: `"minute";r=${left};t=${reset}` },
    { ratelimit: `"minute";r=${left}`, 'ratelimit-policy': `"minute";q=${among([4, 5])};w=${among([20, 60])}` },
    { ratelimit: `"minute";r=${left};t=${reset}, "day";r=${random.integer(4)};t=3600` },
    { ratelimit: `"day";r=${random.integer(4)}`, 'ratelimit-policy': '"day";q=3;w=86400' },
    { ratelimit: among(['"minute;r=1', '"minute"', '"minute";r=-1', '"minute";r=9;t=0']) },
    { 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': String(left), 'x-ratelimit-reset': String(reset) },
  ]);
}

const retryAfters = ['0', '1', '2', '5', '19', '21', '90001', '60000', 'soon', '-1', 'Sat, 21 Nov 2026 12:00:10 GMT'];
const codes = [
  'rate_limited',
  'rate_limited',
  'rate_limited',
  'concurrency_limited',
  'daily_quota_exceeded',
  'busy',
  undefined,
];

const kinds: Readonly<Record<string, (draw: Draw, seq: number) => Partial<Exchange>>> = {
  advice: (draw) => {
    const { random, among } = draw;
    const headers = fieldsOf(draw);
    const plain = { operation: among(['readHistory', 'readHistory', 'rateAnswer'] as const), headers };
    if (random.next() < 0.5) return plain;
    return refused(among(codes), { ...plain, ...(random.next() < 0.8 && { retryAfter: among(retryAfters) }) });
  },
  resends: (draw) => {
    const { random, among } = draw;
    const k = random.integer(3);
    const message = { id: `m${k}`, digest: among([`d${k}`, `d${k}`, `d${k}`, 'other']) };
    const base = { operation: 'sendMessage', message, headers: fieldsOf(draw) } as const;
    if (random.next() < 0.3) return refused(among(codes), base);
    const turn = { id: among([`t${k}`, `t${k}`, 't9']), status: 'queued' };
    return { ...base, status: among([202, 202, 202, 202, 422, 500]), turn };
  },
  turns: ({ random, among }) => {
    const k = random.integer(3);
    if (random.next() < 0.2)
      return {
        operation: 'sendMessage',
        status: 202,
        message: { id: `m${k}`, digest: `d${k}` },
        turn: { id: `t${k}`, status: 'queued' },
      };
    if (random.next() < 0.1) return { operation: 'openStream', status: 101, turn: { id: `t${k}` } };
    const status = among(['queued', 'processing', 'completed', 'completed', 'failed']);
    const result = random.next() < 0.7 && { userMessageId: among([`i${k}`, 'i9']), assistantMessageId: `a${k}` };
    return {
      operation: 'readTurn',
      turn: {
        id: `t${k}`,
        status,
        ...(status === 'completed' && result),
        ...(status === 'failed' && random.next() < 0.7 && { error: { code: 'x', retryable: false } as never }),
        ...(random.next() < 0.1 && { conversation: 'c9' }),
      },
    };
  },
  pages: ({ random, among }, seq) => {
    const k = random.integer(3);
    if (seq < 3)
      return {
        operation: 'sendMessage',
        status: 202,
        conversation: 'c1',
        message: { id: `m${k}`, digest: `d${k}` },
        turn: { id: `t${k}`, status: 'queued' },
      };
    if (random.next() < 0.4)
      return {
        operation: 'readTurn',
        turn: { id: `t${k}`, status: 'completed', userMessageId: `i${k}`, assistantMessageId: `a${k}` },
      };
    const limit = among([2, 3]);
    const items = Array.from({ length: random.integer(limit + 1) }, () => {
      const [i, isUser] = [random.integer(4), random.next() < 0.6];
      return {
        id: `${isUser ? 'i' : 'a'}${i}`,
        role: random.next() < 0.9 === isUser ? 'user' : 'assistant',
        digest: isUser ? `d${i}` : `x${i}`,
        createdAt: `2026-11-21T12:00:0${random.next() < 0.8 ? i : 0}.000Z`,
      };
    });
    return { operation: 'readHistory', history: { limit, offset: among([0, 0, limit]), items } };
  },
};

function told(records: readonly JournalRecord[]): string {
  const found = findingsIn(records);
  const digest = createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 8);
  const counts = new Map<string, number>();
  for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return `${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') || 'nothing'}; ${digest}`;
}

describe('in journals drawn at random', () => {
  it.each(Object.entries(kinds))('about %s, what was found is found', async (name, make) => {
    const lines = Array.from({ length: JOURNALS }, (_, seed) => `${seed}: ${told(journal(seed, name, make))}`);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`drawn/${name}.golden`);
  });
});
