import { describe, expect, it } from 'vitest';
import { type LimitName, operationIds, TargetProfileSchema } from '../../api/index.ts';
import { type ClockRecord, type Exchange, type JournalRecord, profileWords } from '../../history/index.ts';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import type { Certificate } from '../certificate.ts';
import type { ScopeLabels } from '../slice.ts';
import { timelineOf, unknownTimeline } from '../timeline.ts';
import { countedAs, Raw, Sharing, sharingOf } from './buckets.ts';
import { RawLedger } from './ledger.ts';
import {
  countedOperations,
  decidedWithin,
  endsTheMatter,
  inScope,
  isOfKnownUser,
  type Labels,
  mayShare,
  needNotShare,
  refOfExchange,
  usersIn,
  wasAdmitted,
  wasInvalid,
} from './raw.ts';
import { mayBeRefusedBy, surelyRefusedBy } from './raw-codes.ts';
import { messageKey, settingsOf } from './raw-profile.ts';
import { Restamped } from './restamp.ts';

const words = profileWords(TargetProfileSchema.parse({ errorCodes: { known: true } }));
const codes = { words, withCodes: new Set<LimitName>() };
const bearer = ['createConversation', 'sendMessage', 'readTurn', 'openStream', 'readHistory', 'rateAnswer'];
const { status: _, headersAt: __, ...unanswered } = exchange({ seq: 1 });
const failed = (members: Partial<Exchange> = {}): Exchange => ({ ...unanswered, outcome: 'failed', ...members });
const refused = (code?: string, members: Partial<Exchange> = {}): Exchange =>
  exchange({
    seq: 1,
    outcome: 'refused',
    status: 429,
    ...(code !== undefined && { error: { code, retryable: true, requestId: '' } }),
    ...members,
  });

describe('a proof about a user', () => {
  const proof = (members: object) =>
    ({
      scope: { application: 'a1', user: 'u1' },
      because: 'over-admission',
      rule: 'sliding-log-n-plus-1',
      ...members,
    }) as Certificate;
  const of = (user: string, token?: string): Labels => ({ application: 'a1', user, token });
  const refusal = { because: 'wrongful-refusal', rule: 'wrongful-refusal-last-window' };

  it('needs a token of the user alone, or too many of the only one', () => {
    const holds = (members: object, ...labels: Labels[]) => isOfKnownUser(proof(members), () => labels);
    const apart = [of('u1', 't1'), of('u1', 't2'), of('u2', 't3'), of('u1')];
    const together = [of('u1', 't1'), of('u2', 't1')];
    expect([holds({}, ...apart), holds(refusal, ...apart)]).toEqual([true, true]);
    expect([holds({}, ...together), holds(refusal, ...together)]).toEqual([true, false]);
    expect(holds({}, ...together, of('u1', 't2'))).toBe(false);
    expect(holds({ rule: 'fixed-window-anchored-chain' }, ...together)).toBe(false);
    expect(holds({ ...refusal, scope: { application: 'a1' } }, ...together)).toBe(true);
  });
});

describe('when a request was decided', () => {
  const decided = (one: Exchange, doubted = false) => decidedWithin(one, header(), unknownTimeline, doubted);
  const anyTime = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

  it('is between its sending and its status line', () => {
    const one = exchange({ seq: 1, sentAt: us(100), headersAt: us(300), receivedAt: us(400) });
    expect(decided(one)).toEqual({ from: 100, to: 301 });
    expect(decided({ ...one, status: 404 })).toEqual({ from: 100, to: 301 });
    expect(decided({ ...one, status: 499 })).toEqual({ from: 100, to: 301 });
  });

  it('is up to the longest delay later where the answer may be somebody else’s, or there is none', () => {
    const late = { from: 100, to: 30_000_100 };
    const one = exchange({ seq: 1, sentAt: us(100), headersAt: us(300), receivedAt: us(400) });
    expect(decided({ ...one, status: 500 })).toEqual(late);
    expect(decided({ ...one, bodyProblem: 'not JSON' })).toEqual(late);
    expect(decided(failed({ sentAt: us(100), receivedAt: us(400) }))).toEqual(late);
    expect(decided(failed({ sentAt: us(100), receivedAt: us(40_000_000) }))).toEqual({ from: 100, to: 40_000_000 });
    expect(decided({ ...one, status: 502, receivedAt: us(50_000_000), headersAt: us(40_000_000) })).toEqual({
      from: 100,
      to: 40_000_001,
    });
    expect([{ ...one, status: 500 }, { ...one, bodyProblem: 'x' }, failed(), one].map(endsTheMatter)).toEqual([
      ...[false, false, false, true],
    ]);
  });

  it('is told on the clock of the service, on which the longest delay is no shorter', () => {
    const clock = (rate: number): ClockRecord => ({
      kind: 'clock',
      at: us(0),
      serviceUs: us(0),
      plusMinusUs: us(0),
      rate,
    });
    const half = timelineOf([clock(0.5)], { driftPpm: 0, mayLackRecords: false });
    const twice = timelineOf([clock(2)], { driftPpm: 0, mayLackRecords: false });
    const one = failed({ sentAt: us(100), receivedAt: us(400) });
    expect(decidedWithin(one, header(), half, false)).toEqual({ from: 50, to: 30_000_050 });
    expect(decidedWithin(one, header(), twice, false)).toEqual({ from: 200, to: 60_000_200 });
  });

  it('is unknown of a record that is not believed', () => {
    expect(decided(exchange({ seq: 1, sentAt: us(-1) }))).toEqual(anyTime);
    expect(decided(exchange({ seq: 1 }), true)).toEqual(anyTime);
  });
});

describe('what an exchange was', () => {
  it('admitted: a success as the profile knows it, whole and believable', () => {
    expect(wasAdmitted(exchange({ seq: 1 }), words)).toBe(true);
    expect(wasAdmitted(exchange({ seq: 1, status: 201 }), words)).toBe(false);
    expect(wasAdmitted(accepted(1, 't', 0, 1), words)).toBe(true);
    expect(wasAdmitted(exchange({ seq: 1, bodyProblem: 'cut' }), words)).toBe(false);
    expect(wasAdmitted(exchange({ seq: 1, sentAt: us(-1) }), words)).toBe(false);
    expect(wasAdmitted(failed(), words)).toBe(false);
    expect(wasAdmitted(failed({ status: 200 }), words)).toBe(false);
  });

  it('invalid: answered 404 or 422, and no resend', () => {
    const invalid = (members: Partial<Exchange>) => wasInvalid(exchange({ seq: 1, ...members }));
    expect([404, 422, 400, 200, 401].map((status) => invalid({ status }))).toEqual([true, true, false, false, false]);
    expect(invalid({ status: 404, bodyProblem: 'cut' })).toBe(false);
    expect(invalid({ status: 422, resend: 'sameContent' as never })).toBe(false);
    expect(invalid({ status: 422, outcome: 'failed' })).toBe(false);
  });

  it('refused: by the limits that its code names, else by any that its operation consumes', () => {
    const by = (one: Exchange) =>
      (['rate', 'concurrency', 'daily'] as const).map((limit) => [
        mayBeRefusedBy(one, limit, codes),
        surelyRefusedBy(one, limit, codes),
      ]);
    const [no, may, surely] = [
      [false, false],
      [true, false],
      [true, true],
    ];
    expect(by(refused('rate_limited'))).toEqual([surely, no, no]);
    expect(by(refused('concurrency_limited', { operation: 'sendMessage' }))).toEqual([no, surely, no]);
    expect(by(refused('daily_quota_exceeded', { operation: 'sendMessage' }))).toEqual([no, no, surely]);
    expect(by(refused('teapot'))).toEqual([surely, no, no]);
    expect(by(refused())).toEqual([surely, no, no]);
    expect(by(refused('teapot', { operation: 'sendMessage' }))).toEqual([may, may, may]);
    expect(by(refused('rate_limited', { sentAt: us(-1) }))).toEqual([no, no, no]);
    expect(by(exchange({ seq: 1, error: { code: 'rate_limited', retryable: true, requestId: '' } }))).toEqual([
      ...[no, no, no],
    ]);
    const perhaps = (withCodes: readonly LimitName[], one: Exchange) => {
      const assumed = { words: profileWords(TargetProfileSchema.parse({})), withCodes: new Set(withCodes) };
      return (['rate', 'concurrency', 'daily'] as const).map((limit) => [
        mayBeRefusedBy(one, limit, assumed),
        surelyRefusedBy(one, limit, assumed),
      ]);
    };
    const message = (code: string) => refused(code, { operation: 'sendMessage' });
    expect(perhaps([], message('rate_limited'))).toEqual([may, may, may]);
    expect(perhaps(['rate', 'daily'], message('rate_limited'))).toEqual([may, may, no]);
    expect(perhaps(['concurrency', 'daily'], message('rate_limited'))).toEqual([surely, no, no]);
    expect(perhaps([], refused('rate_limited'))).toEqual([surely, no, no]);
    expect(perhaps([], refused('daily_quota_exceeded'))).toEqual([may, no, may]);
    const busy = { rate: ['busy'], concurrency: ['busy'], daily: ['daily'] };
    const shared = { words: profileWords({ errorCodes: busy }), withCodes: new Set<LimitName>() };
    expect(mayBeRefusedBy(refused('busy'), 'concurrency', shared)).toBe(true);
    expect(surelyRefusedBy(refused('busy'), 'rate', shared)).toBe(false);
    expect(mayBeRefusedBy(refused('busy'), 'daily', shared)).toBe(false);
  });

  it('numbered by its worker where there are several', () => {
    expect([{}, { worker: 0 }, { worker: 3 }].map((members) => refOfExchange({ seq: 7, ...members }))).toEqual([
      ...[7, 7, '3:7'],
    ]);
  });
});

describe('attempts at one message', () => {
  const one = accepted(1, 't1', 0, 5);
  const others = [
    { conversation: 'c2' },
    { user: 'u2' },
    { application: 'a2' },
    { message: { id: 'x', digest: 'd-t1' } },
  ];
  const shared = (profile: unknown) =>
    others.map((other) => messageKey({ profile }, { ...one, ...other }) === messageKey({ profile }, one));

  it('bear one id within what the profile says that it is unique in', () => {
    expect(shared({ idempotency: { scope: 'conversation' } })).toEqual([false, false, false, false]);
    expect(shared({ idempotency: { scope: 'user' } })).toEqual([true, false, false, false]);
    expect(shared({ idempotency: { scope: 'application' } })).toEqual([true, true, false, false]);
    for (const profile of [null, {}, { idempotency: {} }, { idempotency: { scope: 'world' } }])
      expect(shared(profile)).toEqual([false, false, false, false]);
    expect(messageKey({ profile: {} }, { ...one, token: 't9', seq: 9 })).toBe(messageKey({ profile: {} }, one));
  });
});

describe('a counting’s name', () => {
  it.each<[string, object]>([
    ['all', { operations: operationIds, replays: true }],
    ['bearer', { operations: bearer, replays: true }],
    ['bearer, replays free', { operations: bearer, replays: false }],
    ['bearer without openStream', { operations: bearer.filter((id) => id !== 'openStream'), replays: true }],
    [
      'bearer without openStream and readTurn',
      { operations: ['createConversation', 'sendMessage', 'readHistory', 'rateAnswer'], replays: true },
    ],
    ['sendMessage', { operations: ['sendMessage'], replays: true }],
    ['sendMessage readTurn', { operations: ['sendMessage', 'readTurn'], replays: true }],
    ['teapot', { operations: [], replays: true }],
    ['all, invalid counted', { operations: operationIds, replays: true, invalid: true }],
    [
      'all, invalid free, refused later counted',
      { operations: operationIds, replays: true, invalid: false, refusedLater: true },
    ],
    ['all, refused later free', { operations: operationIds, replays: true, refusedLater: false }],
  ])('%s', (name, counting) => {
    expect(countedOperations(name)).toEqual(counting);
  });

  it('says of each attempt whether it counts', () => {
    const plain = countedOperations('all');
    expect(countedAs(Raw.admitted, false, plain)).toBe('surely');
    expect(countedAs(Raw.admitted, true, plain)).toBe('surely');
    expect(countedAs(Raw.admitted, true, countedOperations('all, replays free'))).toBe('perhaps');
    expect(countedAs(Raw.admitted, false, countedOperations('all, replays free'))).toBe('surely');
    for (const [flag, what] of [
      [Raw.invalid, 'invalid'],
      [Raw.refusedElsewhere | Raw.refusedLater, 'refused later'],
    ] as const) {
      expect(countedAs(flag, false, plain)).toBe('perhaps');
      expect(countedAs(flag, false, countedOperations(`all, ${what} counted`))).toBe('surely');
      expect(countedAs(flag, false, countedOperations(`all, ${what} free`))).toBe('free');
      expect(countedAs(flag, true, countedOperations(`all, ${what} free`))).toBe('perhaps');
      expect(countedAs(Raw.answered, false, countedOperations(`all, ${what} free`))).toBe('perhaps');
    }
    expect(countedAs(Raw.doubted, false, countedOperations('all, invalid counted'))).toBe('perhaps');
    expect(countedAs(Raw.refusedElsewhere, false, countedOperations('all, refused later counted'))).toBe('perhaps');
    expect(countedAs(Raw.refusedElsewhere, false, countedOperations('all, refused later free'))).toBe('free');
  });
});

describe('a scope', () => {
  it('has the exchanges that bear its labels', () => {
    const one = exchange({ seq: 1, token: 't1', conversation: 'c1' });
    expect(inScope(one, {})).toBe(true);
    expect(inScope(one, { application: 'a1', conversation: 'c1' })).toBe(true);
    expect(inScope(one, { application: 'a1', conversation: 'c2' })).toBe(false);
    expect(inScope(one, { operation: 'readTurn' })).toBe(false);
  });

  it('may have those that do not name what it names', () => {
    const user = { application: 'a1', user: 'u1' };
    const token = { ...user, token: 't1' };
    const conversation = { ...token, conversation: 'c1' };
    const named = [
      { ...user, ...conversation },
      { application: 'a1', user: 'u3', conversation: 'c1' },
    ];
    const may = (labels: Labels, scope: ScopeLabels) => mayShare(labels, scope, usersIn(scope, named));
    expect(may({ ...user, token: undefined }, token)).toBe(true);
    expect(may({ ...user, token: 't2' }, token)).toBe(false);
    expect(may({ application: 'a1', user: 'u2' }, token)).toBe(false);
    expect(may({ application: 'a1', user: 'u3' }, token)).toBe(false);
    expect(may({ application: 'a2', user: 'u1' }, token)).toBe(false);
    expect(may({ ...user }, user)).toBe(false);
    expect(may({ ...user, token: 't1' }, conversation)).toBe(true);
    expect(may({ ...user, token: 't1', conversation: 'c2' }, conversation)).toBe(false);
    expect(may({ application: 'a1', user: 'u2', conversation: 'c1' }, conversation)).toBe(true);
    expect(may({ application: 'a1', user: 'u2' }, conversation)).toBe(false);
    expect(may({ application: 'a1', user: 'u3' }, conversation)).toBe(true);
    expect(may({ application: 'a2', user: 'u3' }, conversation)).toBe(false);
    expect(may({ ...user, token: 't1' }, { ...conversation, operation: 'readTurn' })).toBe(false);
    expect(may({ ...user }, { ...token, operation: 'readTurn' })).toBe(false);
  });

  it('need not have those who ask for what it names', () => {
    expect(needNotShare({ application: 'a1' })).toEqual([]);
    expect(needNotShare({ user: 'u1' })).toEqual(['issueToken']);
    expect(needNotShare({ user: 'u1', conversation: 'c1' })).toEqual(['issueToken', 'createConversation']);
  });
});

/** Records read by the ledger and stamped anew. */
function attemptsOf(exchanges: readonly Exchange[], members: Partial<ReturnType<typeof end>> = {}, head = header()) {
  const [ledger, stamps] = [new RawLedger(words), new Restamped(head)];
  const records: JournalRecord[] = [head, ...exchanges, end({ exchanges: exchanges.length, ...members })];
  for (const record of records) {
    ledger.add(record);
    stamps.add(record);
  }
  const named = new Set(exchanges.map(refOfExchange));
  const stamped = stamps.finish();
  return { stamped, ...ledger.finish(stamped, head, unknownTimeline, named) };
}

describe('attempts as the verifier keeps them', () => {
  it('say what each was, and when', () => {
    const seen = [
      exchange({ seq: 0, sentAt: us(100), headersAt: us(300), receivedAt: us(400) }),
      refused('rate_limited', { seq: 1, sentAt: us(500) }),
      refused('concurrency_limited', { seq: 2, operation: 'sendMessage' }),
      refused(undefined, { seq: 3, operation: 'sendMessage' }),
      exchange({ seq: 4, status: 404 }),
      exchange({ seq: 5, status: 500, sentAt: us(7) }),
      exchange({ seq: 6, sentAt: us(-3) }),
      failed({ seq: 7, sentAt: us(9), receivedAt: us(11) }),
      failed({ seq: 8, sentAt: us(9), receivedAt: us(50_000_000) }),
    ];
    const { attempt, complete } = attemptsOf(seen);
    expect(complete).toBe(true);
    const { admitted, answered, surelyRate, mayBeRate, refusedElsewhere, refusedLater, invalid, doubted } = Raw;
    expect(seen.map(({ seq }) => attempt(seq)?.flags)).toEqual([
      admitted | answered,
      surelyRate | mayBeRate | answered,
      refusedElsewhere | refusedLater | answered,
      mayBeRate | answered,
      invalid | answered,
      0,
      doubted,
      0,
      0,
    ]);
    expect(attempt(0)).toMatchObject({ index: 0, operation: 'readHistory', decided: { from: 100, to: 301 } });
    expect(attempt(1)).toMatchObject({ index: 1, decided: { from: 500, to: 1_401 }, mayBeReplay: false });
    expect(attempt(5)?.decided).toEqual({ from: 7, to: 30_000_007 });
    expect(attempt(6)?.decided).toEqual({ from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY });
    expect(attempt(7)?.decided).toEqual({ from: 9, to: 30_000_009 });
    expect(attempt(8)?.decided).toEqual({ from: 9, to: 50_000_000 });
    // As the judge has it, to the microsecond: arcs begin and end where something was decided.
    for (const one of seen.filter(({ seq }) => seq !== 6))
      expect(attempt(one.seq)?.decided).toEqual(decidedWithin(one, header(), unknownTimeline, false));
    expect(attempt(99)).toBeUndefined();
  });

  it('of a number that occurs twice in one worker are both doubted', () => {
    const { attempt } = attemptsOf([
      exchange({ seq: 1 }),
      exchange({ seq: 1, sentAt: us(50) }),
      exchange({ seq: 1, worker: 2 }),
      exchange({ seq: 3, worker: 2 }),
    ]);
    expect([attempt(1)?.flags, attempt('2:1')?.flags]).toEqual([Raw.doubted, Raw.admitted | Raw.answered]);
    expect(attempt('2:3')?.index).toBe(3);
    expect(attempt(3)).toBeUndefined();
  });

  it('are all only where the end says so', () => {
    const two = [exchange({ seq: 0 }), exchange({ seq: 1 })];
    expect(attemptsOf(two).complete).toBe(true);
    expect(attemptsOf(two, { exchanges: 3 }).complete).toBe(false);
    expect(attemptsOf(two, { complete: false }).complete).toBe(false);
    expect(attemptsOf(two, { complete: false, reason: 'deadline' }).complete).toBe(true);
    expect(attemptsOf(two, { complete: false, reason: 'disk' }).complete).toBe(false);
    const foreign = header({ tool: 'corpus' });
    expect(attemptsOf(two, { complete: false, reason: 'deadline' }, foreign).complete).toBe(false);
    expect(attemptsOf(two, {}, foreign).complete).toBe(true);
    expect(new RawLedger(words).finish(attemptsOf([]).stamped, header(), unknownTimeline, new Set()).complete).toBe(
      false,
    );
  });

  it('may be replays where another attempt was sent before, or they say so, or nobody believes them', () => {
    const sent = (seq: number, sentAt: number, members: Partial<Exchange> = {}) =>
      accepted(seq, 't', sentAt, sentAt + 5, members);
    const replays = (...all: Exchange[]) => all.map((_, row) => attemptsOf(all).stamped.mayBeReplay(row));
    expect(replays(sent(0, 10), sent(1, 20))).toEqual([false, true]);
    expect(replays(sent(1, 20), sent(0, 10))).toEqual([true, false]);
    expect(replays(sent(2, 10), sent(1, 10), sent(3, 10))).toEqual([true, false, true]);
    expect(replays(sent(0, 10), sent(1, 20, { message: { id: 'other', digest: 'd-t' } }))).toEqual([false, false]);
    expect(replays(sent(0, 10, { resend: 'sameContent' as never }), sent(1, 20))).toEqual([true, true]);
    expect(replays(sent(0, 10, { attempt: 2 }), sent(1, 20, { attempt: 3 }))).toEqual([true, true]);
    expect(replays(sent(1, 20, { attempt: 3 }), sent(0, 10, { attempt: 2 }))).toEqual([true, true]);
    expect(replays(sent(0, 10), sent(1, 20, { attempt: 2 }))).toEqual([false, true]);
    expect(replays(sent(1, 20, { attempt: 2 }), sent(0, 10))).toEqual([true, false]);
    expect(replays(sent(1, 10), sent(0, -5))).toEqual([true, true]);
    expect(replays(exchange({ seq: 0 }), exchange({ seq: 1 }))).toEqual([false, false]);
  });

  it('in a bucket are those that may have counted there, each for what is sure of it', () => {
    const seen = [
      exchange({ seq: 0, token: 't1' }),
      refused('rate_limited', { seq: 1, token: 't1' }),
      exchange({ seq: 2, token: 't2' }),
      exchange({ seq: 3 }),
      exchange({ seq: 4, token: 't1', status: 404 }),
      exchange({ seq: 5, token: 't1', operation: 'issueToken', status: 201 }),
      refused('rate_limited', { seq: 6 }),
      exchange({ seq: 7, token: 't1', user: 'u2' }),
      failed({ seq: 8, token: 't1' }),
    ];
    const { rivalsOf, isInScope, attempt, stamped } = attemptsOf(seen);
    const scope = { application: 'a1', user: 'u1', token: 't1' };
    const rivals = rivalsOf({ scope, counts: 'all' });
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(rivals.indexOf)).toEqual([0, 1, -1, 2, 3, 4, 5, -1, 6]);
    expect(rivals.size).toBe(7);
    expect([...rivals.admitted]).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect([...rivals.refused]).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect([...rivals.from]).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(rivals.to[0]).toBe(901);
    expect(rivalsOf({ scope, counts: 'all, invalid free' }).size).toBe(6);
    expect([...rivalsOf({ scope, counts: 'all, invalid counted' }).admitted]).toEqual([1, 0, 0, 1, 0, 0, 0]);
    expect(rivalsOf({ scope, counts: 'bearer' }).size).toBe(6);
    expect(rivalsOf({ scope: { application: 'a1' }, counts: 'all' }).size).toBe(9);
    expect(rivalsOf({ scope: { application: 'a2' }, counts: 'all' }).size).toBe(0);
    const sure = seen.filter(({ seq }) => {
      const one = attempt(seq);
      return one && isInScope(one, { scope });
    });
    expect(sure.map(({ seq }) => seq)).toEqual([0, 1, 4, 8]);
    const reads = sharingOf(stamped, { ...scope, operation: 'readHistory' });
    expect(seen.map((_, row) => reads(row))).toEqual([
      ...[Sharing.surely, Sharing.surely, Sharing.no, Sharing.no, Sharing.surely, Sharing.no, Sharing.no, Sharing.no],
      Sharing.surely,
    ]);
  });
});

it.each([
  [undefined, undefined, 0, 0],
  [300, 250, 300_000, 250_000],
  ['300ms', '250ms', 300_000, Number.POSITIVE_INFINITY],
  [null, null, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  [-1, -1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ['soon', {}, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])(
  'times of a foreign header that cannot be read may be any: %j, %j',
  (releaseGrace, staleFor, toleranceUs, staleUs) => {
    const profile = {
      limits: { concurrency: releaseGrace === undefined ? {} : { releaseGrace } },
      turns: staleFor === undefined ? {} : { staleFor },
    };
    const clock = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(0) };
    const history = { header: header({ profile, clock }), timeline: { stepUs: 0 } };
    expect(settingsOf(history as never)).toMatchObject({ toleranceUs, staleUs });
  },
);
