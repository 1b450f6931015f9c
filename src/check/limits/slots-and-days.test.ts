import { describe, expect, it } from 'vitest';
import type { Exchange, Header, JournalRecord, StreamRecord } from '../../history/index.ts';
import { accepted, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import { judge } from '../check-journal.ts';
import { judgeOne } from './judging.exam.ts';

const SECOND = 1_000_000;
const HOUR = 3_600 * SECOND;

/** A journal: a header that declares slots from acceptance to finish and days of UTC, the records, and its end. */
function journal(records: readonly JournalRecord[], members: Partial<Header> = {}): JournalRecord[] {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  const profile = {
    errorCodes: { known: true },
    idempotency: { sameTurn: true },
    limits: { concurrency: { reading: 'semaphore' }, daily: { day: 'utc' } },
  };
  const limits = header().limits;
  const end = { kind: 'end', at: us(0), arrivals: 0, exchanges, streams: 0, drops: 0, complete: true } as const;
  return [header({ profile, limits: { ...limits, daily: { max: 2 } }, ...members }), ...records, end];
}

const unanswered = (seq: number, id: string, sentAt: number): Exchange => {
  const { headersAt: _, status: __, turn: ___, ...rest } = accepted(seq, id, sentAt, sentAt + SECOND);
  return { ...rest, outcome: 'failed', failure: 'ECONNRESET' };
};
const event = (turn: string, says: StreamRecord['event'], at: number, status?: string): StreamRecord => ({
  kind: 'stream',
  turn,
  event: says,
  at: us(at),
  ...(status !== undefined && { status }),
});

describe('slots', () => {
  const three = ['a', 'b', 'c'].map((turn, i) => accepted(i, turn, i * 10_000, i * 10_000 + 1_000));

  it('hold of two attempts sent at one instant the one that was numbered first, whichever was answered first', () => {
    const [first, again] = [accepted(1, 'b', 0, 300_000), accepted(2, 'b', 0, 4_000)];
    const records = [
      accepted(0, 'a', 0, 1_000),
      { ...again, resend: 'same' as const },
      refused(3, 260_000, 'concurrency_limited'),
      first,
      poll(4, 'a', 'queued', 310_000, 320_000),
    ];
    // The second attempt holds no slot beside the first, and a turn that waits holds none.
    const { certificates } = judgeOne(journal(records), 'concurrency', 'processing-only');
    expect(certificates).toMatchObject([{ rule: 'wrongful-refusal-concurrency', observed: 1 }, {}]);
  });

  it('were too many when polls sent later than three acceptances saw the turns open', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const { verdict } = judgeOne(journal([...three, ...polls]), 'concurrency');
    expect(verdict).toMatchObject({
      verdict: 'violated',
      because: 'over-admission',
      certificate: { rule: 'concurrency-cores', observed: 3, possible: 2, exchanges: [0, 1, 2, 3, 4] },
    });
  });

  describe('are all taken when a message is accepted that was refused before', () => {
    const message = { id: 'm-c', digest: 'd-c' };
    const refusal = (seq: number, sentAt: number, members: Partial<Exchange> = {}) =>
      refused(seq, sentAt, 'concurrency_limited', { message, ...members });
    const later = (attempt: number, members: Partial<Exchange> = {}) =>
      accepted(9, 'c', 30_000, 31_000, { attempt, message, ...members });
    const verdictOf = (...attempts: Exchange[]) => {
      const [a, b] = three as [Exchange, Exchange];
      const seen = [poll(10, 'a', 'queued', 50_000, 60_000), poll(11, 'b', 'queued', 50_001, 60_000)];
      return judgeOne(journal([a, b, ...attempts, ...seen]), 'concurrency').verdict;
    };

    it.each<[string, Exchange[]]>([
      ['once', [refusal(2, 25_000), later(2)]],
      ['twice', [refusal(2, 25_000), refusal(3, 26_000, { attempt: 2 }), later(3)]],
      [
        'and is sent again afterwards',
        [refusal(2, 25_000), later(2), accepted(12, 'c', 40_000, 41_000, { message, resend: 'same' })],
      ],
    ])('%s', (_, attempts) => {
      expect(verdictOf(...attempts)).toMatchObject({
        verdict: 'violated',
        because: 'over-admission',
        certificate: { rule: 'concurrency-cores', observed: 3, possible: 2, exchanges: [0, 1, 9, 10, 11] },
      });
    });

    it.each<[string, Exchange[]]>([
      ['an attempt is missing', [refusal(2, 25_000), later(3)]],
      ['the first is missing', [refusal(2, 25_000, { attempt: 2 }), later(3)]],
      [
        'an attempt had no answer',
        [{ ...unanswered(2, 'c', 5_000), message }, refusal(3, 25_000, { attempt: 2 }), later(3)],
      ],
      ['it was a resend', [refusal(2, 25_000), later(2, { resend: 'same' })]],
      ["the refusal was not the service's", [refusal(2, 25_000, { bodyProblem: 'not JSON' }), later(2)]],
      [
        'the refused attempt had another content',
        [refusal(2, 25_000, { message: { ...message, digest: 'd' } }), later(2)],
      ],
      ['the refused attempt had another token', [refusal(2, 25_000, { token: 't9' }), later(2)]],
    ])('but that is not certain if %s', (_, attempts) => {
      expect(verdictOf(...attempts).verdict).not.toBe('violated');
    });
  });

  it('are told as too many if turns that wait take one, where the reading is not declared', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const undeclared = journal([...three, ...polls], {
      profile: { limits: { concurrency: { scope: 'application', scopeKnown: true } } },
    });
    const verdictOf = (concurrency: string) => judge(undeclared, { declared: { concurrency } }).limits[1];
    expect(verdictOf('unknown')).toMatchObject({
      verdict: 'undecided',
      missing: [
        'which reading is true: accepted-to-finished would have refused some of what was admitted (if the service is certain to count so, declare it: --declared concurrency=accepted-to-finished)',
        'a refusal: the concurrency limit was not reached',
      ],
    });
    expect(verdictOf('processing-only')).toMatchObject({
      verdict: 'undecided',
      missing: ['a refusal: the concurrency limit was not reached'],
    });
    expect(verdictOf('accepted-to-finished')?.verdict).toBe('violated');
  });

  it.each([
    [28, true],
    [29, false],
    ['nobody knows', false],
    ['1ms', false],
    [null, false],
    [-1, false],
  ])('are proven taken only up to what a status may be stale before a poll: %s ms', (staleFor, isViolated) => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const profile = { turns: { staleFor }, limits: { concurrency: { reading: 'semaphore' } } };
    const { verdict } = judgeOne(journal([...three, ...polls], { profile }), 'concurrency');
    expect(verdict.verdict === 'violated').toBe(isViolated);
  });

  it('of a turn whose message was first sent before the history began are nobody knows whose', () => {
    const polls = three.map(({ turn }, i) => poll(3 + i, turn?.id ?? '', 'queued', 50_000 + i, 60_000));
    const violates = (members: Partial<Exchange>) => {
      const [first, ...others] = three.map((one, i) => (i === 0 ? { ...one, ...members } : one));
      return judgeOne(journal([first as Exchange, ...others, ...polls]), 'concurrency').verdict.verdict === 'violated';
    };
    expect(violates({})).toBe(true);
    // With another token perhaps, or by a record that was lost.
    expect(violates({ resend: 'same' })).toBe(false);
    expect(violates({ attempt: 2 })).toBe(false);
  });

  it('are not proven taken by events of a stream, which were sent nobody knows when', () => {
    const events = three.flatMap(({ turn }) => [
      event(turn?.id ?? '', 'status', 50_000, 'processing'),
      event(turn?.id ?? '', 'completed', 90_000),
    ]);
    expect(judgeOne(journal([...three, ...events]), 'concurrency').verdict.verdict).not.toBe('violated');
  });

  it.each([
    ['finished by then', 40_000, 1],
    ['finished within the granularity of the service', 49_500, 0],
    ['not followed', undefined, 0],
  ])('refused wrongly only beside turns known to have finished: %s', (_, finishedAt, wrongful) => {
    const turns = three.slice(0, 2);
    const ends =
      finishedAt === undefined ? [] : turns.map(({ turn }) => event(turn?.id ?? '', 'completed', finishedAt));
    const records = journal([...turns, ...ends, refused(2, 50_000, 'concurrency_limited')]);
    expect(judgeOne(records, 'concurrency').wrongful).toBe(wrongful);
  });

  it('count a message once whose first answer was lost, where a resend surely returns the same turn', () => {
    const records = (sameTurn: boolean) => {
      const retry = accepted(1, 'a', 2 * SECOND, 2 * SECOND + 1_000);
      const profile = {
        errorCodes: { known: true },
        idempotency: { sameTurn },
        limits: { concurrency: { reading: 'semaphore' } },
      };
      const all = [
        unanswered(0, 'a', 0),
        retry,
        event('a', 'completed', 3 * SECOND),
        refused(2, 60 * SECOND, 'concurrency_limited'),
      ];
      return journal(all, { profile, limits: { ...header().limits, concurrency: { max: 1 } } });
    };
    expect(judgeOne(records(true), 'concurrency').wrongful).toBe(1);
    expect(judgeOne(records(false), 'concurrency').wrongful).toBe(0);
  });

  it('may be held by another turn of the same content, once its id was used in another conversation with another one', () => {
    const elsewhere = (id: string) =>
      accepted(1, 'b', 4 * SECOND, 5 * SECOND, { conversation: 'c2', message: { id, digest: 'another' } });
    const wrongful = (id: string) =>
      judgeOne(
        journal(
          [
            accepted(0, 'a', 0, SECOND),
            event('a', 'completed', 3 * SECOND),
            elsewhere(id),
            event('b', 'completed', 7 * SECOND),
            { ...unanswered(2, 'a', 10 * SECOND), resend: 'same' },
            refused(3, 60 * SECOND, 'concurrency_limited'),
          ],
          { limits: { ...header().limits, concurrency: { max: 1 } } },
        ),
        'concurrency',
      ).wrongful;
    expect(wrongful('m-a')).toBe(0);
    expect(wrongful('m-b')).toBe(1);
  });

  it('are held of the bucket in which a message was sent, where its attempts carry several tokens', () => {
    const limits = { ...header().limits, concurrency: { max: 1 } };
    const concurrency = { reading: 'semaphore', scope: 'token' };
    const judged = (sameTurn: boolean, attempts: readonly Exchange[]) =>
      judgeOne(
        journal([...attempts, { ...refused(2, 30 * SECOND, 'concurrency_limited'), token: 'new' }], {
          profile: { errorCodes: { known: true }, idempotency: { sameTurn }, limits: { concurrency } },
          limits,
        }),
        'concurrency',
      ).wrongful;
    // The first never arrived: the turn is of the second, and of the token that it came with.
    const lost = { ...unanswered(0, 'a', 0), token: 'old' };
    expect(judged(true, [lost, { ...accepted(1, 'a', 5 * SECOND, 6 * SECOND), token: 'new' }])).toBe(0);
    // Of two at once the second may have made the turn, which both answers name.
    const both = (token: string) => [
      { ...accepted(0, 'a', 0, SECOND), token: 'old' },
      { ...accepted(1, 'a', 1_000, SECOND), token },
    ];
    expect(judged(false, both('new'))).toBe(0);
    expect(judged(false, both('old'))).toBe(1);
  });

  it.each([
    ['others use the credentials', { exclusive: false }],
    ['turns of earlier runs may go on', { flushed: { rate: true, concurrency: false, daily: true } }],
  ])('are never refused wrongly when %s', (_, members) => {
    const records = journal([refused(0, 50_000, 'concurrency_limited')], members);
    expect(judgeOne(records, 'concurrency')).toMatchObject({ wrongful: 0, verdict: { verdict: 'undecided' } });
  });

  it('are undecided where nothing was refused, and say what stands in the way of more', () => {
    const [, concurrency] = judge(
      journal([...three.slice(0, 2)], { flushed: { rate: true, concurrency: false, daily: true } }),
    ).limits;
    expect(concurrency).toMatchObject({
      limit: 'concurrency',
      verdict: 'undecided',
      missing: [
        'a refusal: the concurrency limit was not reached',
        'a start without turns in process (profile: flushed.concurrency)',
      ],
    });
  });
});

describe('a refusal that may be any limit’s', () => {
  it('is wrongful when it is under each of them, with a proof for each', () => {
    const [only] = judge(journal([refused(0, 50_000)])).refusals.wrongful;
    expect(only?.exchange).toBe(0);
    expect(only?.certificates.map(({ limit }) => limit)).toEqual(expect.arrayContaining(['concurrency', 'daily']));
  });

  it('is not wrongful while a slot may be taken', () => {
    const turns = [accepted(0, 'a', 0, 1_000), accepted(1, 'b', 10, 1_000)];
    expect(judge(journal([...turns, refused(2, 50_000)])).refusals).toMatchObject({
      wrongful: [],
      attributed: { concurrency: 0, ambiguous: 1 },
    });
  });
});

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
