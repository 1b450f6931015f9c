import { describe, expect, it } from 'vitest';
import { operationIds, TargetProfileSchema } from '../../api/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, refused as refusal, us } from '../../testing/history/sample-records.ts';
import { judge } from '../index.ts';
import { countingOf, rateSlices } from './counting.ts';
import { foldedOf } from './judging.exam.ts';
import type { ScopeName } from './scope.ts';
import { straysOf } from './strays.ts';

/*
 * Attempts whose bucket nobody knows, and answers that nobody knows the service by: they explain and prove nothing.
 */

const SECOND = 1_000_000;

/** Two a minute, declared as a sliding log of that scope. */
function rateOf(exchanges: readonly Exchange[], scope: string, counts?: readonly string[]) {
  const records: JournalRecord[] = [
    header({
      profile: TargetProfileSchema.parse({
        errorCodes: { known: true },
        limits: { rate: { scope, ...(counts && { counts }) } },
      }),
      limits: {
        rate: { max: 2, windowUs: us(60 * SECOND), reading: 'sliding-log' },
        concurrency: { max: 2 },
        daily: { max: 50 },
      },
      clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30 * SECOND) },
    }),
    ...exchanges,
    end({ exchanges: exchanges.length }),
  ];
  const verdict = judge(records).limits.find(({ limit }) => limit === 'rate');
  if (!verdict) throw new Error('the rate limit was not judged');
  return verdict.verdict;
}

const labels = { user: 'u1', token: 't1', conversation: 'c1' };
const at = (seq: number, seconds: number, members: Partial<Exchange> = {}) =>
  exchange({
    seq,
    sentAt: us(seconds * SECOND),
    headersAt: us(seconds * SECOND),
    receivedAt: us(seconds * SECOND),
    ...labels,
    ...members,
  });
const refused = {
  outcome: 'refused',
  status: 429,
  error: { code: 'rate_limited', retryable: true, requestId: '' },
} as const;
const { token: _, conversation: __, ...user } = labels;
const issued = (seq: number, seconds: number): Exchange => {
  const { token: ___, conversation: ____, ...rest } = at(seq, seconds, { operation: 'issueToken', status: 201 });
  return { ...rest, ...user };
};
const rated = (seq: number, seconds: number): Exchange => {
  const { conversation: ___, ...rest } = at(seq, seconds, { operation: 'rateAnswer' });
  return rest;
};
const all = ['issueToken', 'createConversation', 'readHistory', 'rateAnswer'];

describe('a request for a token', () => {
  it('bears none: it may have counted for its user, and need not', () => {
    expect(rateOf([at(0, 0), at(1, 1), at(2, 2)], 'user', all)).toBe('violated');
    expect(rateOf([issued(0, 0), at(1, 1), at(2, 2)], 'user', all)).toBe('undecided');
    expect(rateOf([issued(0, 0), at(1, 1), at(2, 2, refused)], 'user', all)).toBe('consistent');
    expect(rateOf([at(1, 1), at(2, 2, refused)], 'user', all)).toBe('violated');
  });

  it('may have counted for each token of its user', () => {
    expect(rateOf([issued(0, 0), at(1, 1), at(2, 2, refused)], 'token', all)).toBe('consistent');
    expect(rateOf([{ ...issued(0, 0), user: 'u2' }, at(1, 1), at(2, 2, refused)], 'token', all)).toBe('violated');
  });
});

describe('what a bucket may have seen beside its own', () => {
  /** Of the first tokens of one user: how many attempts its bucket has, and whether these are all. */
  const toldOf = (tokens: number, max: number) => {
    const own = (token: string, seq: number, more: Partial<Exchange> = {}) => at(seq, seq, { token, ...more });
    const first = [issued(0, 0), own('t1', 1), issued(2, 2), own('t2', 3), own('t2', 4), own('t3', 5, refused)];
    const others = Array.from({ length: tokens - 3 }, (_, i) => own(`other ${i}`, first.length + i));
    const { evidence } = foldedOf([header(), ...first, ...others, end({ exchanges: first.length + others.length })]);
    const slices = rateSlices(evidence, 'token', countingOf(operationIds, true), { max });
    return slices.slice(0, 3).map(({ size, whole, scope }) => [scope.token, size, whole]);
  };
  const all = [
    ['t1', 3, true],
    ['t2', 4, true],
    ['t3', 3, true],
  ];

  it('is added to each if there are few', () => {
    expect(toldOf(200, 5)).toEqual(all);
  });

  it('is added to those of many that may tell something: to one with a refusal, or with more than the limit', () => {
    expect(toldOf(201, 0)).toEqual(all);
    expect(toldOf(201, 1)).toEqual([['t1', 1, false], ...all.slice(1)]);
    expect(toldOf(201, 2)).toEqual([['t1', 1, false], ['t2', 2, false], ...all.slice(2)]);
  });

  it('is nothing if every request names its token: then a bucket that tells nothing has all, too', () => {
    const own = Array.from({ length: 201 }, (_, i) => at(i, i, { token: `t${i}` }));
    const { evidence } = foldedOf([header(), ...own, end({ exchanges: own.length })]);
    const slices = rateSlices(evidence, 'token', countingOf(operationIds, true), { max: 1 });
    expect(slices.filter(({ size, whole }) => size === 1 && whole).length).toBe(201);
  });
});

describe('a token that several users have', () => {
  const other = { user: 'u2', conversation: 'c2' };

  it('is one bucket: the service knows no user by it', () => {
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2, refused)], 'token', all)).toBe('consistent');
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2)], 'token', all)).toBe('violated');
    expect(rateOf([at(0, 0, { ...other, token: 't2' }), at(1, 1), at(2, 2, refused)], 'token', all)).toBe('violated');
  });

  it('names none of them: of a limit by user it shows too many of one token alone, and no wrong refusal', () => {
    const soon = (members: Partial<Exchange> = {}) =>
      rateOf([at(0, 0, other), at(1, 1), at(2, 2, members)], 'user', all);
    expect(soon(refused)).not.toBe('violated');
    expect(rateOf([at(0, 0, { ...other, token: 't2' }), at(1, 1), at(2, 2, refused)], 'user', all)).toBe('violated');
    expect(soon()).toBe('undecided');
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2), at(3, 3)], 'user', all)).toBe('violated');
    // Two of the token that both have, and one of the user's own.
    const own = { token: 't3' };
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2), at(3, 3, own)], 'user', all)).not.toBe('violated');
    expect(rateOf([at(0, 0, { ...other, token: 't2' }), at(1, 1), at(2, 2), at(3, 3, own)], 'user', all)).toBe(
      'violated',
    );
  });

  it('may have counted what was sent without one by any user', () => {
    const unnamed = { ...issued(1, 1), user: 'u3' };
    expect(rateOf([at(0, 0, other), unnamed, at(2, 2, refused)], 'token', all)).toBe('consistent');
  });

  it('is no one’s if it is made up: each user makes up another', () => {
    const madeUp = { token: 'invalid', status: 401 };
    const later = { ...refused, token: 'invalid' };
    expect(rateOf([at(0, 0, { ...other, ...madeUp }), at(1, 1, madeUp), at(2, 2, later)], 'token', all)).toBe(
      'violated',
    );
  });
});

describe('of a conversation', () => {
  it('the request that creates it comes before it', () => {
    const created = at(0, 0, { operation: 'createConversation', status: 201 });
    expect(rateOf([created, at(1, 1), at(2, 2)], 'conversation', all)).toBe('undecided');
    expect(rateOf([created, at(1, 1), at(2, 2, refused)], 'conversation', all)).toBe('consistent');
    expect(rateOf([created, at(1, 1), at(2, 2)], 'token', all)).toBe('violated');
  });

  it('a rating may be one of any of the user', () => {
    expect(rateOf([rated(0, 0), at(1, 1), at(2, 2, refused)], 'conversation', all)).toBe('consistent');
    expect(rateOf([{ ...rated(0, 0), user: 'u2' }, at(1, 1), at(2, 2, refused)], 'conversation', all)).toBe('violated');
  });

  it('a rating may be one of any user with a conversation of the same identifier', () => {
    const rating = { ...rated(0, 0), user: 'u2', token: 't2' };
    const named = (name: string) => at(3, 3, { user: 'u2', token: 't2', conversation: name });
    const after = (name: string) => rateOf([rating, at(1, 1), at(2, 2, refused), named(name)], 'conversation', all);
    expect(after('c1')).toBe('consistent');
    expect(after('c2')).toBe('violated');
  });

  it("two users' of one identifier are two, or one of which the service knows one user", () => {
    const other = { user: 'u2', token: 't2' };
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2)], 'conversation')).toBe('undecided');
    expect(rateOf([at(0, 0, other), at(1, 1), at(2, 2, refused)], 'conversation')).toBe('consistent');
    expect(rateOf([at(0, 0, { ...other, conversation: 'c2' }), at(1, 1), at(2, 2, refused)], 'conversation')).toBe(
      'violated',
    );
  });
});

describe('those of one bucket', () => {
  it('stay the very same where nobody else may belong to it', () => {
    const { evidence } = foldedOf([header(), at(0, 0), at(1, 1), { ...rated(2, 2), user: 'u2' }, rated(3, 3)]);
    const members = Uint32Array.of(0, 1);
    const others = (scope: ScopeName, rows = evidence.order) => straysOf(evidence, scope, rows).addedTo(members);
    expect(others('application')).toBe(members);
    expect(others('user')).toBe(members);
    expect(others('token')).toBe(members);
    expect(others('conversation', members)).toBe(members);
    expect([...others('conversation')]).toEqual([0, 1, 3]);
  });
});

describe('an answer that may be an intermediary’s', () => {
  const from = (status: number, more: Partial<Exchange> = {}) => [
    at(0, 0, { status, ...more }),
    at(1, 70),
    at(2, 75, refused),
  ];

  it('does not end the matter: the service may act until its longest delay has passed', () => {
    expect(rateOf(from(504), 'user')).toBe('consistent');
    expect(rateOf(from(200, { bodyProblem: 'not-json' }), 'user')).toBe('consistent');
    expect(rateOf(from(422), 'user')).toBe('violated');
    expect(rateOf([at(0, 0, { status: 504 }), at(1, 95), at(2, 96, refused)], 'user')).toBe('violated');
  });
});

describe('a slot that is counted by conversation', () => {
  const slotsOf = (exchanges: readonly Exchange[], scope = 'conversation') =>
    judge([
      header({
        profile: TargetProfileSchema.parse({
          errorCodes: { known: true },
          limits: { concurrency: { scope, reading: 'semaphore' } },
        }),
        limits: {
          rate: { max: 1_000, windowUs: us(60 * SECOND), reading: 'sliding-log' },
          concurrency: { max: 1 },
          daily: { max: 50 },
        },
        clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(30 * SECOND) },
      }),
      ...exchanges,
      end({ exchanges: exchanges.length }),
    ]).limits.find(({ limit }) => limit === 'concurrency')?.verdict;
  const held = (seq: number, name: string, members: Partial<Exchange>) =>
    accepted(seq, name, 0, 5_000, { conversation: 'c1', ...members });
  const turnedAway = refusal(1, SECOND, 'concurrency_limited', { conversation: 'c1', user: 'u2', token: 't2' });

  it('may be held by the turn of another user with the same token, where it is counted by user', () => {
    const ofOther = (token: string) => held(0, 'a', { user: 'u1', token });
    expect(slotsOf([ofOther('t2'), turnedAway], 'user')).not.toBe('violated');
    expect(slotsOf([ofOther('t1'), turnedAway], 'user')).toBe('violated');
  });

  it('may be held by another user’s turn in a conversation of that name: the service may know but one', () => {
    expect(slotsOf([held(0, 'a', { user: 'u1', token: 't1' }), turnedAway])).toBe('consistent');
    expect(slotsOf([held(0, 'a', { user: 'u1', token: 't1', conversation: 'c2' }), turnedAway])).toBe('violated');
    expect(slotsOf([turnedAway])).toBe('violated');
  });
});
