import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../api/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { accepted, end, exchange, header, refused, us, written } from '../testing/history/sample-records.ts';
import { judge } from './index.ts';

const SECOND = 1_000_000;

/** One request a minute, and one message a day, of a service for which a message sent again costs neither. */
function journal(exchanges: readonly Exchange[], scope: 'application' | 'token' = 'application'): JournalRecord[] {
  const rate = { ...written.rate, max: 1, reading: 'sliding-log', countsReplays: false, scope };
  return [
    header({
      profile: TargetProfileSchema.parse({
        errorCodes: { known: true },
        limits: { rate, daily: { ...written.daily, reading: 'rolling' } },
      }),
      limits: {
        rate: { max: 1, windowUs: us(60 * SECOND), reading: 'sliding-log' },
        concurrency: { max: 2 },
        daily: { max: 2 },
      },
    }),
    ...exchanges,
    end({ exchanges: exchanges.length }),
  ];
}

const sent = (seq: number, turn: string, from: number, to: number, members: Partial<Exchange> = {}) =>
  accepted(seq, turn, from * SECOND, to * SECOND, members);
const moments = (from: number, to: number) => ({
  ...{ sentAt: us(from * SECOND), headersAt: us(to * SECOND), receivedAt: us(to * SECOND) },
});
const limitOf = (name: 'rate' | 'daily', exchanges: readonly Exchange[], scope?: 'token') =>
  judge(journal(exchanges, scope)).limits.find(({ limit }) => limit === name);

describe('attempts at one message that overlap', () => {
  // Whichever was decided first counts. The journal has them in the order of their answers.
  const [first, again] = [sent(0, 'a', 0, 50), sent(1, 'a', 45, 46)];
  const other = sent(2, 'b', 62, 63);

  it('may each be the replay, marked as one or not', () => {
    // Decided at 1, 45.5 (a replay, which is free) and 62.5.
    for (const resend of [{}, { resend: 'same' }] as const)
      for (const order of [
        [{ ...again, ...resend }, first, other],
        [first, { ...again, ...resend }, other],
      ])
        expect(limitOf('rate', order)?.verdict).not.toBe('violated');
  });

  it('may all be replays where the first of them lies before the history, whatever the order of the records', () => {
    // Free, and 62.5: not two within a minute.
    const [second, third] = [sent(0, 'a', 10, 50, { attempt: 2 }), sent(1, 'a', 20, 21, { attempt: 3 })];
    const next = sent(2, 'b', 62, 63);
    const soon = sent(3, 'c', 5, 6);
    for (const order of [
      [second, third],
      [third, second],
    ]) {
      expect(limitOf('rate', [soon, ...order])?.verdict).not.toBe('violated');
      expect(limitOf('rate', [...order, next])?.verdict).not.toBe('violated');
      // Of two new messages a day: whichever proof is tried, it convinces the verifier.
      expect(limitOf('daily', [...order, next, soon])?.verdict).not.toBe('violated');
      expect(limitOf('daily', [...order, next, soon, sent(4, 'd', 70, 71)])).toMatchObject({ verdict: 'violated' });
    }
  });

  it('may each be free where they are counted apart: of two tokens the second may have been the one that counted', () => {
    const read = exchange({ seq: 2, token: 't1', ...moments(0, 1) });
    const [slow, quick] = [
      sent(0, 'a', 10, 50, { token: 't1' }),
      sent(1, 'a', 11, 12, { token: 't2', resend: 'same' }),
    ];
    for (const order of [
      [read, slow, quick],
      [quick, slow, read],
    ])
      expect(limitOf('rate', order, 'token')?.verdict).not.toBe('violated');
    // With the same token it counted one way or the other; and nothing came of what was sent when it was decided.
    const same: Exchange = { ...quick, token: 't1' };
    const late = sent(1, 'a', 51, 52, { token: 't2', resend: 'same' });
    for (const other of [same, late])
      expect(limitOf('rate', [read, slow, other], 'token')).toMatchObject({ verdict: 'violated' });
  });

  it('are attempts at one message in whatever order they were recorded', () => {
    const early = refused(0, 10 * SECOND, 'rate_limited', { message: { id: 'm-a', digest: 'd-a' } });
    const late = sent(1, 'a', 20, 21, { attempt: 2, message: { id: 'm-a', digest: 'd-a' } });
    for (const order of [
      [early, late],
      [late, early],
    ])
      expect(limitOf('daily', [...order, sent(2, 'b', 62, 63), sent(3, 'c', 70, 71)])).toMatchObject({
        verdict: 'violated',
        because: 'over-admission',
      });
  });

  it('may each be the replay, too, where the first got no answer', () => {
    const { headersAt: _, status: __, turn: ___, ...rest } = first;
    const lost: Exchange = { ...rest, outcome: 'censored', failure: 'deadline' };
    expect(limitOf('rate', [again, lost, other])?.verdict).not.toBe('violated');
  });

  it('are no excuse for the first where it was answered before the other was sent', () => {
    const [early, late] = [sent(0, 'a', 30, 31), sent(1, 'a', 45, 46)];
    for (const order of [
      [late, early, other],
      [early, late, other],
    ])
      expect(limitOf('rate', order)).toMatchObject({
        verdict: 'violated',
        because: 'over-admission',
        certificate: { exchanges: [0, 2] },
      });
  });

  it('are one new message of the day, whichever of them it was', () => {
    const third = sent(3, 'c', 130, 131);
    expect(limitOf('daily', [again, first, other, third])).toMatchObject({ verdict: 'violated' });
    expect(limitOf('daily', [again, first, other])?.verdict).not.toBe('violated');
  });
});

describe('one identifier in several conversations', () => {
  it('may be one message, as nobody says within what it is unique: neither quota nor rate is proven exceeded by it', () => {
    const message = { id: 'm-a', digest: 'd-a' };
    const sends = ['a', 'b', 'c'].map((name, k) => sent(k, name, k, k + 0.5, { conversation: `c-${name}`, message }));
    for (const limit of ['daily', 'rate'] as const) {
      expect(limitOf(limit, sends)?.verdict).not.toBe('violated');
      const others = sends.map((one, k) => ({ ...one, message: { ...message, id: `m-${k}` } }));
      expect(limitOf(limit, others)).toMatchObject({ verdict: 'violated', because: 'over-admission' });
    }
  });
});

describe('a refusal after an invalid message whose identifier another conversation has, too', () => {
  const invalid = exchange({ seq: 0, operation: 'sendMessage', status: 422, conversation: 'c-a', ...moments(0, 1) });
  const message = { id: 'm-a', digest: 'd-a' };
  const records = (limit: number) =>
    journal([
      { ...invalid, message },
      refused(1, 30 * SECOND, 'rate_limited', { conversation: 'c-b' }),
      sent(2, 'b', 100, 101, { conversation: 'c-b', message }),
    ]).map((record) =>
      record.kind === 'header'
        ? {
            ...record,
            profile: TargetProfileSchema.parse({
              errorCodes: { known: true },
              limits: { rate: { ...written.rate, reading: 'sliding-log', countsReplays: true, countsInvalid: false } },
            }),
            limits: { ...record.limits, rate: { ...record.limits.rate, max: limit } },
          }
        : record,
    );
  const verdictOf = (limit: number) => judge(records(limit)).limits.find((one) => one.limit === 'rate');

  it('is judged as if the message may have counted, by the judge and by the verifier', () => {
    expect(verdictOf(1)?.verdict).toBe('consistent');
    expect(verdictOf(2)).toMatchObject({ verdict: 'violated', certificate: { observed: 1, exchanges: [0] } });
  });
});

describe('a message that was refused before it was accepted', () => {
  it('is a new message of the day', () => {
    const { turn: _, ...rest } = sent(0, 'a', 0, 1);
    const refused: Exchange = { ...rest, outcome: 'refused', status: 429 };
    const messages = [refused, sent(1, 'a', 70, 71), sent(2, 'b', 140, 141), sent(3, 'c', 210, 211)];
    expect(limitOf('daily', messages)).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { exchanges: [1, 2, 3] },
    });
  });
});

describe('requests that came to nothing', () => {
  const read = (seq: number, at: number, members: Partial<Exchange> = {}) =>
    exchange({
      seq,
      sentAt: us(at * SECOND),
      headersAt: us(at * SECOND + 10),
      receivedAt: us(at * SECOND + 20),
      ...members,
    });
  const notFound = (seq: number, at: number) => read(seq, at, { status: 404 });
  const refusedBy = (code: string, seq: number, at: number) =>
    read(seq, at, {
      operation: 'sendMessage',
      outcome: 'refused',
      status: 429,
      error: { code, retryable: true, requestId: '' },
    });
  const judged = (counts: object, exchanges: readonly Exchange[], profile: object = {}) => {
    const records = journal(exchanges).map((record) =>
      record.kind === 'header'
        ? {
            ...record,
            profile: TargetProfileSchema.parse({
              errorCodes: { known: true },
              limits: { rate: { ...written.rate, max: 1, reading: 'sliding-log', ...counts } },
              ...profile,
            }),
          }
        : record,
    );
    return judge(records).limits.find(({ limit }) => limit === 'rate');
  };

  it.each([
    ['countsInvalid', (seq: number, at: number) => notFound(seq, at)],
    ['countsRefusedLater', (seq: number, at: number) => refusedBy('concurrency_limited', seq, at)],
  ] as const)(
    '%s: count where the profile says so, do not where it says so, and may where it is silent',
    (says, other) => {
      const admitted = [other(0, 0), read(1, 30)];
      // Much later one is admitted: of a service that only refuses, no limit is said to be kept.
      const refused = [other(0, 0), refusedBy('rate_limited', 1, 30), read(2, 120)];
      const order = { limitOrder: ['rate', 'daily', 'concurrency'] };
      const counting = judged({ [says]: true }, admitted, order);
      expect(counting).toMatchObject({ verdict: 'violated', because: 'over-admission' });
      expect(judged({ [says]: true }, refused)?.verdict).toBe('consistent');
      expect(judged({ [says]: false }, admitted)?.verdict).toBe('undecided');
      expect(judged({ [says]: false }, refused)).toMatchObject({
        verdict: 'violated',
        because: 'wrongful-refusal',
        certificate: {
          counts: `bearer, ${says === 'countsInvalid' ? 'invalid' : 'refused later'} free`,
          exchanges: [],
        },
      });
      expect(judged({}, admitted)?.verdict).toBe('undecided');
      expect(judged({}, refused)?.verdict).toBe('consistent');
    },
  );

  it('never came to the rate limit if a limit that is checked before it refused them', () => {
    const byDaily = [refusedBy('daily_quota_exceeded', 0, 0), read(1, 30)];
    const judgedIn = (...limitOrder: readonly string[]) =>
      judged({ countsRefusedLater: true }, byDaily, { ...(limitOrder.length > 0 && { limitOrder }) })?.verdict;
    expect(judgedIn('rate', 'daily', 'concurrency')).toBe('violated');
    expect(judgedIn('concurrency', 'rate', 'daily')).toBe('violated');
    expect(judgedIn('daily', 'rate', 'concurrency')).toBe('undecided');
    expect(judgedIn('daily', 'concurrency', 'rate')).toBe('undecided');
    // If nobody says in which order limits are checked, it may have been before.
    expect(judgedIn()).toBe('undecided');
  });

  it("may be an intermediary's where their body cannot be used", () => {
    const odd = { ...notFound(0, 0), bodyProblem: 'not-json' as const };
    expect(judged({ countsInvalid: true }, [odd, read(1, 30)])?.verdict).toBe('undecided');
    expect(judged({ countsInvalid: false }, [odd, refusedBy('rate_limited', 1, 30), read(2, 120)])?.verdict).toBe(
      'consistent',
    );
  });
});

describe('a quota that ran out although only messages sent again came to it', () => {
  const HOUR = 3_600 * SECOND;
  const at = (seq: number, turn: string, hours: number) =>
    accepted(seq, turn, hours * HOUR, hours * HOUR + 1_000, { message: { id: turn, digest: `d-${turn}` } });
  // Three within a day and night, from eight in the evening; after midnight two of them once more, and a fourth that is refused.
  const records = [
    header({
      profile: TargetProfileSchema.parse({
        errorCodes: { known: true },
        limits: { daily: { ...written.daily, max: 3, day: 'utc' } },
      }),
      limits: {
        rate: { max: 20, windowUs: us(60 * SECOND), reading: 'unknown' },
        concurrency: { max: 2 },
        daily: { max: 3 },
      },
    }),
    {
      kind: 'clock' as const,
      at: us(0),
      serviceUs: us(Date.parse('2026-11-21T20:00:00Z') * 1_000),
      plusMinusUs: us(0),
      rate: 1,
    },
    ...[at(0, 'a', 0), at(1, 'b', 1), at(2, 'c', 2), at(3, 'a', 9), at(4, 'b', 10), at(5, 'c', 11)],
    refused(6, 12 * HOUR, 'daily_quota_exceeded', { message: { id: 'd', digest: 'd-d' } }),
    end({ exchanges: 7 }),
  ];
  const charged = (declared?: string) => {
    const { findings, refusals } = judge(records, declared === undefined ? {} : { declared: { daily: declared } });
    return { found: findings.filter(({ kind }) => kind === 'replay-charged'), wrongful: refusals.wrongful };
  };

  it('is told with the proof of the refusal, of the reading that the profile declares', () => {
    const { found, wrongful } = charged();
    expect(found).toMatchObject([{ basis: 'observation', exchanges: [3, 4, 5, 6] }]);
    expect(found[0]?.certificates).toEqual(wrongful[0]?.certificates);
    expect(found[0]?.certificates).toHaveLength(1);
  });

  it('is not told where another reading is declared, which explains the refusal', () => {
    expect(charged('rolling')).toEqual({ found: [], wrongful: [] });
  });
});
