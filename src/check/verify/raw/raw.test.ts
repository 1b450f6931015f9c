import { describe, expect, it } from 'vitest';
import { type LimitName, TargetProfileSchema } from '../../../api/index.ts';
import { type ClockRecord, type Exchange, profileWords } from '../../../history/index.ts';
import { accepted, exchange, header, us } from '../../../testing/history/sample-records.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { timelineOf, unknownTimeline } from '../../evidence/timeline.ts';
import {
  decidedWithin,
  endsTheMatter,
  isOfKnownUser,
  type Labels,
  refOfExchange,
  wasAdmitted,
  wasInvalid,
} from './raw.ts';
import { mayBeRefusedBy, surelyRefusedBy } from './raw-codes.ts';
import { failed, refused, words } from './raw-records.exam.ts';

const codes = { words, withCodes: new Set<LimitName>() };

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
    expect(holds({ rule: 'fixed-window-anchored-fit' }, ...together)).toBe(false);
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
    const answers = [{ ...one, status: 500 }, { ...one, bodyProblem: 'x' }, failed(), { ...one, status: 0 }, one];
    expect(answers.map(endsTheMatter)).toEqual([false, false, false, false, true]);
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
