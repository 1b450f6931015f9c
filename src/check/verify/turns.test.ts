import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Exchange, Header, JournalRecord, StreamRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../../testing/history/sample-records.ts';
import type { Certificate, ExchangeRef, OverAdmission, WrongfulRefusal } from '../certificate.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { rawHistory } from '../verify.ts';
import { verifies } from './certificate.ts';

/*
 * Certificates about two slots, written by hand: each holds, and no longer when one thing of it or of the history is otherwise.
 */

const exact = { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(1_000) };

function historyOf(records: readonly JournalRecord[], members: Partial<Header> = {}, complete = true): JournalRecord[] {
  const exchanges = records.filter(({ kind }) => kind === 'exchange').length;
  return [header({ clock: exact, ...members }), ...records, end({ exchanges, complete })];
}

const holds = (certificate: Certificate, records: readonly JournalRecord[]) =>
  verifies(
    certificate,
    rawHistory([certificate], foldedOf(records), () => records),
  );

const common = { limit: 'concurrency', max: 2, windowUs: 0, fromUs: 0, toUs: 0, claim: '', counts: '' } as const;

describe('more turns than slots', () => {
  const cores = (exchanges: readonly ExchangeRef[], members: Partial<OverAdmission> = {}): OverAdmission => ({
    ...common,
    reading: 'accepted-to-finished',
    scope: { application: 'a1' },
    rule: 'concurrency-cores',
    because: 'over-admission',
    spanUs: 0,
    observed: 3,
    possible: 2,
    exchanges,
    ...members,
  });
  const turn = (k: number, members: Partial<Exchange> = {}) => accepted(k, `t${k}`, 0, 5, members);
  /** Number 10 + k: turn k seen at work. */
  const seen = (k: number, at: number, status = 'processing', members: Partial<Exchange> = {}) =>
    poll(10 + k, `t${k}`, status, at, at + 5, members);
  const three = [turn(0), turn(1), turn(2), seen(0, 100), seen(1, 100), seen(2, 100)];
  const all = [0, 1, 2, 10, 11, 12];
  const proves = (records: readonly JournalRecord[], named: readonly ExchangeRef[] = all, members = {}) =>
    holds(cores(named, members), historyOf(records));

  it('are three that were seen open after the last was accepted', () => {
    expect(proves(three)).toBe(true);
    // They were accepted by 6.
    expect(proves([...three.slice(0, 3), seen(0, 7), seen(1, 7), seen(2, 7)])).toBe(true);
    expect(proves([...three.slice(0, 3), seen(0, 6), seen(1, 7), seen(2, 7)])).toBe(false);
    expect(proves([...three.slice(0, 3), seen(0, 100), seen(1, 100), seen(2, 6)])).toBe(false);
  });

  it('are not proven by less, by others, or by what is named otherwise', () => {
    for (const named of all)
      expect(
        proves(
          three,
          all.filter((one) => one !== named),
        ),
        `${named}`,
      ).toBe(false);
    expect(proves(three, [...all, 99])).toBe(false);
    expect(proves([...three, exchange({ seq: 50 })], [...all, 50])).toBe(false);
    expect(proves(three, all, { max: 1 })).toBe(false);
    expect(proves(three, all, { max: 3 })).toBe(false);
    expect(proves(three, all, { scope: { application: 'a2' } })).toBe(false);
    expect(proves(three, all, { limit: 'daily' })).toBe(false);
    expect(proves(three, all, { reading: 'sliding-log' })).toBe(false);
    expect(proves([...three, turn(2)])).toBe(false);
    // Whose turn it is, nobody knows: what made it was sent before.
    expect(proves([turn(0, { resend: 'same' }), ...three.slice(1)])).toBe(false);
    expect(proves([turn(0, { attempt: 2 }), ...three.slice(1)])).toBe(false);
    expect(holds(cores(all), historyOf(three, { limits: { ...header().limits, concurrency: { max: 3 } } }))).toBe(
      false,
    );
  });

  it('are not proven by answers that say something else', () => {
    const last = (members: Partial<Exchange>, message: Partial<Exchange> = {}) =>
      proves(
        [turn(0), turn(1), turn(2, message), seen(0, 100), seen(1, 100), seen(2, 100, 'processing', members)],
        all,
        {},
      );
    expect(last({})).toBe(true);
    expect(last({ turn: { id: 't2', status: 'completed' } })).toBe(false);
    expect(last({ turn: { id: 't2' } })).toBe(false);
    expect(last({ turn: { id: 't1', status: 'processing' } })).toBe(false);
    expect(last({ status: 500 })).toBe(false);
    expect(last({ bodyProblem: 'cut' })).toBe(false);
    expect(last({}, { status: 200 })).toBe(false);
    expect(last({}, { bodyProblem: 'cut' })).toBe(false);
    expect(last({}, { turn: { id: 't1', status: 'queued' } })).toBe(false);
    const { message: _, ...unnamed } = turn(2);
    expect(proves([turn(0), turn(1), unnamed, ...three.slice(3)], all, {})).toBe(false);
  });

  it('are not proven where a turn was seen finished before it was seen open', () => {
    const over = (at: number) => poll(20, 't2', 'completed', at, at + 5);
    const failed = (at: number) => poll(20, 't2', 'failed', at, at + 5);
    expect(proves([...three, over(120)])).toBe(true);
    expect(proves([...three, over(95)])).toBe(true);
    expect(proves([...three, over(94)])).toBe(false);
    expect(proves([...three, failed(94)])).toBe(false);
    const event = (at: number, what: StreamRecord['event']): StreamRecord => ({
      kind: 'stream',
      turn: 't2',
      event: what,
      sequence: 1,
      at: us(at),
    });
    expect(proves([...three, event(99, 'completed')])).toBe(false);
    expect(proves([...three, event(99, 'failed')])).toBe(false);
    expect(proves([...three, event(100, 'completed')])).toBe(true);
    expect(proves([...three, event(99, 'closed')])).toBe(true);
    expect(proves([...three, { ...event(99, 'completed'), turn: 't9' }])).toBe(true);
    // Nor where a record that nobody believes names it.
    expect(proves([...three, seen(2, -5, 'processing', { seq: 30 })])).toBe(false);
    expect(proves([...three, accepted(30, 't2', -5, 5, { message: { id: 'x', digest: 'x' } })])).toBe(false);
  });

  it('are surely of this bucket only where every attempt at the message is', () => {
    const again = (members: Partial<Exchange>) => {
      const resent = turn(2, { seq: 30, sentAt: us(60), headersAt: us(70), receivedAt: us(70), ...members });
      return proves([...three, resent], all, {});
    };
    expect(again({})).toBe(true);
    expect(again({ conversation: 'c2' })).toBe(true);
    expect(again({ token: 't9' })).toBe(false);
    expect(again({ turn: { id: 't9', status: 'queued' } })).toBe(false);
    expect(again({ turn: { id: 't9', status: 'queued' }, status: 500 })).toBe(true);
  });

  it('crowd out a third that was never seen open, if it came while two surely were', () => {
    const crowd = (
      third: Exchange,
      members: Partial<OverAdmission> = {},
      named: readonly ExchangeRef[] = [0, 1, 2, 10, 11],
    ) => proves([turn(0), accepted(1, 't1', 10, 15), third, seen(0, 100), seen(1, 100)], named, members);
    const third = (sentAt: number, headersAt: number, members: Partial<Exchange> = {}) =>
      accepted(2, 't2', sentAt, headersAt, members);
    expect(crowd(third(17, 98))).toBe(true);
    // The second may have been accepted at 16, and both may have ended at 100.
    expect(crowd(third(16, 98))).toBe(false);
    expect(crowd(third(17, 99))).toBe(false);
    expect(crowd(third(17, 98), { reading: 'processing-only' })).toBe(false);
    expect(crowd(third(17, 98), { reading: 'every' })).toBe(false);
    expect(crowd(third(17, 98, { resend: 'sameContent' as never }))).toBe(false);
    expect(crowd(third(17, 98), {}, [0, 2, 10])).toBe(false);
    // Between two that held one after another it may have come.
    const between = (until: number) =>
      proves(
        [turn(0), turn(1), seen(0, 100), seen(1, until), accepted(3, 't3', 52, 55), seen(3, 100), third(17, 98)],
        [0, 1, 2, 3, 10, 11, 13],
      );
    expect(between(50)).toBe(false);
    expect(between(56)).toBe(false);
    expect(between(57)).toBe(true);
    const before = accepted(30, 't2', 3, 4, { status: 500, message: { id: 'm-t2', digest: 'd-t2' } });
    expect(
      proves(
        [before, turn(0), accepted(1, 't1', 10, 15), third(17, 98), seen(0, 100), seen(1, 100)],
        [0, 1, 2, 10, 11],
      ),
    ).toBe(false);
  });

  it('crowd out a third also if the service had refused every attempt at it before', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const refused = (attempt: number, members: Partial<Exchange> = {}) =>
      accepted(29 + attempt, 't2', attempt, attempt + 1, {
        attempt,
        outcome: 'refused',
        status: 429,
        message,
        ...members,
      });
    const crowd = (attempt: number, before: readonly Exchange[], members: Partial<Exchange> = {}) => {
      const third = accepted(2, 't2', 17, 98, { attempt, message, ...members });
      const others = [turn(0), accepted(1, 't1', 10, 15), seen(0, 100), seen(1, 100)];
      return proves([...before, third, ...others], [0, 1, 2, 10, 11]);
    };
    expect(crowd(2, [refused(1)])).toBe(true);
    expect(crowd(3, [refused(1), refused(2)])).toBe(true);
    expect(crowd(2, [refused(1)], { resend: 'same' })).toBe(false);
    expect(crowd(2, [refused(1, { resend: 'same' })])).toBe(false);
    // One is missing, or did not say that it became no turn.
    expect(crowd(3, [refused(1)])).toBe(false);
    expect(crowd(2, [])).toBe(false);
    expect(crowd(3, [refused(2)])).toBe(false);
    expect(crowd(3, [refused(1), refused(2, { outcome: 'answered', status: 500 })])).toBe(false);
    expect(crowd(2, [refused(1, { bodyProblem: 'cut' })])).toBe(false);
    expect(crowd(2, [refused(1, { receivedAt: us(-1) })])).toBe(false);
    // Nor another content, or another message of the same identifier.
    expect(crowd(2, [refused(1, { message: { ...message, digest: 'other' } })])).toBe(false);
    expect(crowd(2, [refused(1), accepted(40, 't4', 5, 6, { message, conversation: 'c2', status: 500 })])).toBe(false);
  });

  it('are proven of work only by what was seen at work', () => {
    const work = { reading: 'processing-only' };
    const twice = (status: string, first = 50) => [
      ...[turn(0), turn(1), turn(2)],
      ...[0, 1, 2].flatMap((k) => [
        poll(20 + k, `t${k}`, 'processing', first, first + 5),
        poll(10 + k, `t${k}`, status, 100, 105),
      ]),
    ];
    const named = [...all, 20, 21, 22];
    expect(proves(twice('processing'), named, work)).toBe(true);
    expect(proves(twice('running'), named, work)).toBe(false);
    expect(proves(twice('processing', 93), named, work)).toBe(true);
    expect(proves(twice('processing', 94), named, work)).toBe(false);
    // The polls that saw them queued say when they had not begun.
    expect(proves(twice('queued'), named, work)).toBe(false);
    expect(proves(twice('queued'), named)).toBe(true);
    expect(proves(three, all, work)).toBe(false);
    // A piece of the answer says that work had begun.
    const events = (event: StreamRecord['event'], status?: string, at = 60): StreamRecord[] =>
      [0, 1, 2].map((k) => ({
        kind: 'stream',
        turn: `t${k}`,
        event,
        sequence: 1,
        at: us(at),
        ...(status !== undefined && { status }),
      }));
    expect(proves([...three, ...events('delta')], all, work)).toBe(true);
    expect(proves([...three, ...events('delta', undefined, 98)], all, work)).toBe(true);
    expect(proves([...three, ...events('delta', undefined, 99)], all, work)).toBe(false);
    expect(proves([...three, ...events('status', 'processing')], all, work)).toBe(true);
    expect(proves([...three, ...events('status', 'queued')], all, work)).toBe(false);
    expect(proves([...three, ...events('opened')], all, work)).toBe(false);
    // Queued, says a poll that was sent after that.
    expect(proves([...three, ...events('delta'), poll(30, 't2', 'queued', 61, 66)], all, work)).toBe(false);
    expect(proves([...three, ...events('delta'), poll(30, 't2', 'queued', 60, 66)], all, work)).toBe(true);
  });
});

describe('a refusal although a slot was free', () => {
  const refusal = (members: Partial<WrongfulRefusal> = {}): WrongfulRefusal => ({
    ...common,
    reading: 'accepted-to-finished',
    scope: { application: 'a1' },
    rule: 'wrongful-refusal-concurrency',
    because: 'wrongful-refusal',
    refusal: 9,
    lookBackUs: 0,
    observed: 1,
    needed: 2,
    exchanges: [0],
    ...members,
  });
  const refused = (members: Partial<Exchange> = {}) =>
    accepted(9, 't9', 200, 205, {
      outcome: 'refused',
      status: 429,
      error: { code: 'concurrency_limited', retryable: true, requestId: '' },
      ...members,
    });
  const first = accepted(0, 't0', 0, 5);
  const proves = (
    records: readonly JournalRecord[],
    members: Partial<WrongfulRefusal> = {},
    heading: Partial<Header> = {},
  ) => holds(refusal(members), historyOf(records, heading));
  const listed = { exchanges: [0, 1] };
  const withSecond = (members: Partial<Exchange>, ...more: JournalRecord[]) =>
    proves([first, accepted(1, 't1', 10, 15, members), ...more, refused()], listed);

  it('is proven where one turn may have held one of two', () => {
    expect(proves([first, refused()])).toBe(true);
    expect(proves([refused()], { exchanges: [] })).toBe(true);
    expect(proves([first, accepted(1, 't1', 10, 15), refused()], listed)).toBe(false);
    // All that may have held one must be named.
    expect(proves([first, refused()], { exchanges: [] })).toBe(false);
  });

  it('needs a history that is whole, exclusive and flushed, and a refusal by this limit in this scope', () => {
    const flushed = { rate: true, concurrency: false, daily: true };
    expect(proves([first, refused()], {}, { exclusive: false })).toBe(false);
    expect(proves([first, refused()], {}, { flushed })).toBe(false);
    expect(holds(refusal(), historyOf([first, refused()], {}, false))).toBe(false);
    expect(proves([first, refused()], { refusal: 8 })).toBe(false);
    expect(proves([first, refused()], { refusal: 0 })).toBe(false);
    expect(proves([first, refused()], { scope: { application: 'a2' } })).toBe(false);
    expect(proves([first, refused()], { max: 3 })).toBe(false);
    expect(proves([first, refused(), refused()])).toBe(false);
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    expect(proves([first, refused({ error })])).toBe(false);
  });

  it('is explained by whatever may have held the other slot', () => {
    const { headersAt: _, status: __, ...open } = accepted(1, 't1', 10, 15);
    const lost: Exchange = { ...open, outcome: 'failed' };
    expect(proves([first, lost, refused()], listed)).toBe(false);
    expect(withSecond({ status: 500 })).toBe(false);
    expect(withSecond({ status: 422 })).toBe(true);
    expect(withSecond({ status: 422, headersAt: us(300), receivedAt: us(300) })).toBe(false);
    expect(withSecond({ sentAt: us(-1) })).toBe(false);
    expect(withSecond({ conversation: 'c2' })).toBe(false);
    expect(proves([first, accepted(1, 't1', 10, 15, { application: 'a2' }), refused()])).toBe(true);
    const error = (code: string) =>
      ({ outcome: 'refused', status: 429, error: { code, retryable: true, requestId: '' } }) as const;
    expect(withSecond(error('concurrency_limited'))).toBe(true);
    expect(withSecond({ ...error('concurrency_limited'), headersAt: us(300), receivedAt: us(300) })).toBe(true);
    expect(withSecond({ ...error('daily_quota_exceeded'), headersAt: us(300), receivedAt: us(300) })).toBe(false);
  });

  it('is not explained by turns that had ended, or not begun', () => {
    const over = (status: string, at: number) => poll(20, 't1', status, at - 5, at);
    expect(withSecond({}, over('completed', 100))).toBe(true);
    expect(withSecond({}, over('failed', 198))).toBe(true);
    expect(withSecond({}, over('completed', 199))).toBe(false);
    expect(withSecond({}, over('processing', 100))).toBe(false);
    // Seen open again after that: nobody knows.
    expect(withSecond({}, over('completed', 100), poll(21, 't1', 'processing', 120, 125))).toBe(false);
    const event: StreamRecord = { kind: 'stream', turn: 't1', event: 'completed', sequence: 1, at: us(100) };
    expect(withSecond({}, event)).toBe(true);
    const later = accepted(1, 't1', 207, 300);
    expect(proves([first, later, refused()], listed)).toBe(true);
    expect(proves([first, { ...later, sentAt: us(206) }, refused()], listed)).toBe(false);
  });

  it('grants the time that a slot may stay taken after its turn', () => {
    const profile = TargetProfileSchema.parse({ limits: { concurrency: { releaseGrace: '1ms' } } });
    const ended = (at: number, heading: Partial<Header>) =>
      proves(
        [
          first,
          accepted(1, 't1', 10, 15),
          poll(20, 't1', 'completed', at - 5, at),
          refused({ sentAt: us(2_000), headersAt: us(2_005), receivedAt: us(2_005) }),
        ],
        listed,
        heading,
      );
    expect(ended(998, { profile })).toBe(true);
    expect(ended(999, { profile })).toBe(false);
    expect(ended(999, {})).toBe(true);
    expect(ended(1_948, { clock: { ...exact, granularityUs: us(50) } })).toBe(true);
    expect(ended(1_949, { clock: { ...exact, granularityUs: us(50) } })).toBe(false);
    expect(ended(498, { profile, clock: { ...exact, driftPpm: 400_000 } })).toBe(false);
    expect(ended(330, { profile, clock: { ...exact, driftPpm: 400_000 } })).toBe(true);
  });

  it('counts a turn that two answers name once, from the first of them', () => {
    const resent = { turn: { id: 't0', status: 'queued' }, message: { id: 'm-t0', digest: 'd-t0' } };
    expect(withSecond(resent)).toBe(true);
    expect(withSecond({ ...resent, headersAt: us(300), receivedAt: us(300) })).toBe(false);
    const { headersAt: _, status: __, turn: ___, ...open } = accepted(1, 't0', 10, 15);
    const lost: Exchange = { ...open, outcome: 'failed' };
    // The attempt that was lost can only have made the turn that the other made, where the profile promises that.
    const idempotency = { sameTurn: true };
    const sameTurn = { profile: TargetProfileSchema.parse({ idempotency }) };
    const otherTurn = { profile: TargetProfileSchema.parse({ idempotency: { sameTurn: false } }) };
    const far = refused({ sentAt: us(2_000), headersAt: us(2_005), receivedAt: us(2_005) });
    expect(proves([first, lost, far], listed, sameTurn)).toBe(true);
    expect(proves([first, lost, far], listed, otherTurn)).toBe(false);
    expect(proves([first, { ...lost, message: { id: 'm-t0', digest: 'other' } }, far], listed, sameTurn)).toBe(false);
  });

  it('is not explained by a turn that surely waited, where only work takes a slot', () => {
    const work = { ...listed, reading: 'processing-only' };
    const waited = (...more: JournalRecord[]) => proves([first, accepted(1, 't1', 10, 15), ...more, refused()], work);
    expect(waited()).toBe(false);
    expect(waited(poll(20, 't1', 'queued', 207, 210))).toBe(true);
    expect(waited(poll(20, 't1', 'queued', 206, 210))).toBe(false);
    expect(waited(poll(20, 't1', 'queued', 207, 210), poll(21, 't1', 'processing', 190, 195))).toBe(false);
    expect(proves([first, accepted(1, 't1', 10, 15), poll(20, 't1', 'queued', 207, 210), refused()], listed)).toBe(
      false,
    );
  });
});
