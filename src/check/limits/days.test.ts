import { describe, expect, it } from 'vitest';
import type { Exchange, Header } from '../../history/index.ts';
import { accepted, header, refused, us } from '../../testing/history/sample-records.ts';
import { judgeOne } from './judging.exam.ts';
import { journal, SECOND, unanswered } from './slots-and-days.exam.ts';

const HOUR = 3_600 * SECOND;

describe('days', () => {
  const clock = {
    kind: 'clock',
    at: us(0),
    serviceUs: us(Date.UTC(2026, 10, 21, 12) * 1_000),
    plusMinusUs: us(0),
    rate: 1,
  } as const;
  const sent = (count: number, apart: number) =>
    Array.from({ length: count }, (_, i) => accepted(i, `t${i}`, i * apart, i * apart + 1_000, { token: 't1' }));
  const unknown = { profile: {} };

  it('hold no third message of two', () => {
    const { verdict } = judgeOne(journal([clock, ...sent(3, HOUR)]), 'daily');
    expect(verdict).toMatchObject({
      verdict: 'violated',
      certificate: { rule: 'daily-distinct-messages', observed: 3, possible: 2, exchanges: [0, 1, 2] },
    });
  });

  it('hold more messages where midnight lies between', () => {
    expect(judgeOne(journal([clock, ...sent(3, 8 * HOUR)]), 'daily').verdict.verdict).toBe('consistent');
  });

  it('cannot hold 2Q + 1 within 22 hours, whatever a day is and whatever time it is at the service', () => {
    expect(judgeOne(journal(sent(5, 5 * HOUR), unknown), 'daily').verdict).toMatchObject({ verdict: 'violated' });
    expect(judgeOne(journal(sent(4, 5 * HOUR), unknown), 'daily').verdict.verdict).toBe('consistent');
  });

  it('may begin at 00:05: some kinds admit less then and others more, which convicts only a service that is said to have one', () => {
    const minutes = 60 * SECOND;
    const at = (day: number, minute: number) => (12 + 24 * day) * HOUR + minute * minutes;
    const takenAt = (seq: number, day: number, minute: number) =>
      accepted(seq, `t${seq}`, at(day, minute), at(day, minute) + 1_000, { token: 't1' });
    const out = refused(2, at(1, 3), 'daily_quota_exceeded', { token: 't1' });
    const sentSoon = [takenAt(0, 0, 6), takenAt(1, 0, 7), out, takenAt(3, 1, 5.2), takenAt(4, 1, 5.4)];
    const known = { errorCodes: { known: true } };
    expect(judgeOne(journal([clock, ...sentSoon], { profile: known }), 'daily').verdict).toMatchObject({
      verdict: 'undecided',
      missing: [expect.stringContaining('whose days begin at another time than midnight in a time zone')],
    });
    for (const day of ['utc', 'rolling', 'first-use']) {
      const profile = { ...known, limits: { daily: { day, scope: 'application' } } };
      expect(judgeOne(journal([clock, ...sentSoon], { profile }), 'daily').verdict.verdict).toBe('violated');
    }
  });

  it('are counted by the scope that the profile knows, also where nobody knows what a day is', () => {
    const ofFive = sent(5, 5 * HOUR).map((one, i) => ({ ...one, token: `t${i}` }));
    const verdictOf = (daily: object) =>
      judgeOne(journal(ofFive, { timezones: [], profile: { errorCodes: { known: true }, limits: { daily } } }), 'daily')
        .verdict;
    // By token, each has sent one: what was refused then shows no limit of two.
    expect(verdictOf({ scope: 'application' }).verdict).toBe('undecided');
    expect(verdictOf({ scope: 'application', scopeKnown: true })).toMatchObject({
      verdict: 'violated',
      declared: 'unknown',
      because: 'over-admission',
      certificate: { scope: { application: 'a1' }, observed: 5, possible: 4 },
    });
    expect(verdictOf({ scope: 'token', scopeKnown: true })).toMatchObject({
      verdict: 'undecided',
      overAdmission: 'not-proven',
    });
    expect(verdictOf({ scope: 'application', scopeKnown: 'perhaps' }).verdict).toBe('undecided');
  });

  it.each([
    ['tokens that all asked for one zone', 2, ['Asia/Tokyo'], 'violated'],
    ['tokens that asked for none', 2, [], 'violated'],
    ['tokens of two zones, while both have one date', 2, ['America/Santiago', 'America/New_York'], 'violated'],
    ['tokens of two zones with a date each', 4, ['UTC', 'Asia/Tokyo'], 'consistent'],
    ['tokens of zones that nobody knows', 2, undefined, 'consistent'],
  ])('that end at midnight in the time zones of %s', (_, hour, timezones, expected) => {
    const three = [0, 1, 2].map((i) => {
      const at = (hour + i / 1_000) * HOUR + 60 * SECOND;
      return accepted(i, `t${i}`, at, at + 1_000, { token: `t${i}` });
    });
    const profile = { limits: { daily: { scope: 'application', day: 'token-timezone' } } };
    const members = { profile, ...(timezones && { timezones }) };
    expect(judgeOne(journal([clock, ...three], members), 'daily').verdict.verdict).toBe(expected);
  });

  it('count a message of each user under one id, where no record names a conversation', () => {
    const of = (seq: number, user: string, digest = 'd') => {
      const message = { id: 'one', digest };
      const { conversation: _, ...rest } = accepted(seq, user, seq * SECOND, seq * SECOND + 1_000, { user, message });
      return rest;
    };
    const profile = { errorCodes: { known: true }, limits: { daily: { day: 'utc', scope: 'application' } } };
    const wrongful = (second: string) =>
      judgeOne(
        journal([clock, of(0, 'u1'), of(1, second), refused(2, HOUR, 'daily_quota_exceeded')], { profile }),
        'daily',
      ).wrongful;
    expect(wrongful('u2')).toBe(0);
    expect(wrongful('u1')).toBeGreaterThan(0);
  });

  it('of a user who shares a token with another may be used up by the other', () => {
    const of = (seq: number, user: string, token: string) =>
      accepted(seq, `t${seq}`, seq * SECOND, seq * SECOND + 1_000, { user, token });
    const profile = { errorCodes: { known: true }, limits: { daily: { scope: 'user', day: 'utc' } } };
    const out = refused(9, HOUR, 'daily_quota_exceeded', { user: 'u2', token: 'k' });
    const verdictOf = (...sent: readonly Exchange[]) =>
      judgeOne(journal([clock, ...sent], { profile }), 'daily').verdict.verdict;
    expect(verdictOf(of(0, 'u1', 'k'), of(1, 'u1', 'k'), out)).not.toBe('violated');
    expect(verdictOf(of(0, 'u1', 'l'), of(1, 'u1', 'l'), out)).toBe('violated');
    const two = [of(0, 'u1', 'k'), of(1, 'u1', 'k')];
    expect(verdictOf(...two, of(2, 'u2', 'k'), of(3, 'u1', 'k'))).toBe('violated');
    expect(verdictOf(...two, of(2, 'u2', 'k'), of(3, 'u1', 'l'))).not.toBe('violated');
    expect(verdictOf(...two, of(3, 'u1', 'l'))).toBe('violated');
  });

  describe('that begin with a message, each when the one before is over', () => {
    const profile = { errorCodes: { known: true }, limits: { daily: { day: 'first-use' } } };
    const at = (seq: number, hour: number, members: Partial<Exchange> = {}) =>
      accepted(seq, `t${seq}`, hour * HOUR, hour * HOUR + 1_000, { token: 't1', ...members });
    const out = (seq: number, hour: number) => refused(seq, hour * HOUR, 'daily_quota_exceeded', { token: 't1' });
    const verdictOf = (sent: readonly Exchange[], members: Partial<Header> = {}) =>
      judgeOne(journal([clock, ...sent], { profile, ...members }), 'daily').verdict;
    const isTooMany = { verdict: 'violated', because: 'over-admission', certificate: { rule: 'first-use-day-chain' } };
    const isWrong = { verdict: 'violated', certificate: { rule: 'wrongful-refusal-first-use-day', observed: 1 } };
    const unflushed = { flushed: { rate: true, concurrency: true, daily: false } };

    it('hold no third of two, on any day', () => {
      const onDays = (...hours: readonly number[]) => verdictOf(hours.map((hour, seq) => at(seq, hour)));
      expect(onDays(0, 25, 26, 48.9)).toMatchObject({ ...isTooMany, certificate: { exchanges: [1, 2, 3] } });
      expect(onDays(0, 25, 26, 49).verdict).not.toBe('violated');
      expect(onDays(0, 25, 26, 50, 51, 52)).toMatchObject({ ...isTooMany, certificate: { exchanges: [3, 4, 5] } });
      expect(onDays(0, 25, 47, 50, 51, 74).verdict).not.toBe('violated');
    });

    it('may have begun with whatever was sent', () => {
      const three = [at(0, 0), at(2, 25), at(3, 26), at(4, 48.5)];
      expect(verdictOf(three)).toMatchObject(isTooMany);
      for (const other of [at(1, 24.2, { status: 422 }), unanswered(1, 'x', 24.2 * HOUR)])
        expect(verdictOf([...three, other]).verdict).not.toBe('violated');
      expect(verdictOf([...three, refused(1, 24.2 * HOUR, 'concurrency_limited')]).verdict).not.toBe('violated');
      // On the first day it began none.
      expect(verdictOf([...three, at(1, 0.4, { status: 422 })])).toMatchObject(isTooMany);
    });

    it('leave room for a message after the first', () => {
      const fullBefore = [at(0, 0), at(1, 23), at(2, 24.5)];
      expect(verdictOf([...fullBefore, out(3, 25)])).toMatchObject(isWrong);
      expect(verdictOf([...fullBefore, at(3, 24.6), out(4, 25)]).verdict).toBe('consistent');
      expect(verdictOf([at(0, 0), at(1, 23), out(2, 23.9)]).verdict).toBe('consistent');
      expect(verdictOf([...fullBefore, unanswered(3, 'x', 24.6 * HOUR), out(4, 25)]).verdict).toBe('consistent');
    });

    it('are known from the first on alone, of a bucket that is wholly known', () => {
      const over = [0, 25, 26, 48.9].map((hour, seq) => at(seq, hour));
      const wrong = [at(0, 0), at(1, 23), at(2, 24.5), out(3, 25)];
      for (const sent of [over, wrong]) {
        expect(verdictOf(sent).verdict).toBe('violated');
        expect(verdictOf(sent, unflushed).verdict).not.toBe('violated');
        expect(verdictOf(sent, { exclusive: false }).verdict).not.toBe('violated');
        const byToken = { ...profile, limits: { daily: { day: 'first-use', scope: 'token' } } };
        expect(verdictOf(sent, { profile: byToken }).verdict).toBe('violated');
        const { token: _, ...nameless } = at(9, 20, { status: 404 });
        expect(verdictOf([...sent, nameless], { profile: byToken }).verdict).not.toBe('violated');
        const unbelieved = sent.map((one, i) => (i === 0 ? { ...one, sentAt: us(-1) } : one));
        expect(verdictOf(unbelieved).verdict).not.toBe('violated');
      }
    });
  });

  it.each([
    ['a resend', (i: number) => accepted(i, 't0', i * SECOND, i * SECOND + 1_000, { resend: 'same' })],
    ['an invalid message', (i: number) => accepted(i, `x${i}`, i * SECOND, i * SECOND + 1_000, { status: 422 })],
  ])('do not count %s', (_, more) => {
    const records = [clock, accepted(0, 't0', 0, 1_000), more(1), more(2), refused(3, HOUR, 'daily_quota_exceeded')];
    expect(judgeOne(journal(records), 'daily')).toMatchObject({
      wrongful: 1,
      verdict: { verdict: 'violated', because: 'wrongful-refusal', certificate: { observed: 1, needed: 2 } },
    });
  });

  it('may count a message that had no answer, and one that was sent again with another content', () => {
    const other = accepted(1, 't0', SECOND, SECOND + 1_000, {
      message: { id: 'm-t0', digest: 'another' },
      resend: 'other',
    });
    for (const more of [unanswered(1, 'x', SECOND), other]) {
      const records = [clock, accepted(0, 't0', 0, 1_000), more, refused(2, HOUR, 'daily_quota_exceeded')];
      expect(judgeOne(journal(records), 'daily').wrongful).toBe(0);
    }
  });

  it('may count the first content again once another was taken under its identifier, as a service may keep the last one only', () => {
    const message = { id: 'm-t0', digest: 'another' };
    const first = accepted(0, 't0', 0, 1_000);
    const other = accepted(1, 't1', SECOND, SECOND + 1_000, { message, resend: 'other' });
    const wrongfulAfter = (...sent: Exchange[]) => {
      const limits = { ...header().limits, daily: { max: 3 } };
      return judgeOne(journal([clock, ...sent, refused(9, HOUR, 'daily_quota_exceeded')], { limits }), 'daily')
        .wrongful;
    };
    const again = (seconds: number) =>
      accepted(2, 't0', seconds * SECOND, seconds * SECOND + 1_000, { resend: 'same' });
    expect(wrongfulAfter(first, other, again(2))).toBe(0);
    // Before another was sent, or when that was found invalid, it is a resend.
    expect(wrongfulAfter(first, other, again(0.5))).toBe(1);
    expect(wrongfulAfter(first, { ...other, status: 422 }, again(2))).toBe(1);
    expect(wrongfulAfter(first, { ...other, status: 422 }, again(0.5))).toBe(1);
    // For the service, an id that another conversation uses may be the same one.
    const elsewhere = { ...other, conversation: 'c2' };
    expect(wrongfulAfter(first, elsewhere, again(2))).toBe(0);
    expect(wrongfulAfter(first, elsewhere, again(0.5))).toBe(1);
    expect(wrongfulAfter(first, { ...elsewhere, status: 422 }, again(2))).toBe(1);
  });
});
