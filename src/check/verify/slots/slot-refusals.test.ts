import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../../api/index.ts';
import type { Exchange, Header, JournalRecord, StreamRecord } from '../../../history/index.ts';
import { accepted, poll, us } from '../../../testing/history/sample-records.ts';
import type { WrongfulRefusal } from '../../certificates/certificate.ts';
import { exact } from '../days/days.exam.ts';
import { common, historyOf, holds } from './slots.exam.ts';

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
    const told = (status: string, at: number): JournalRecord => ({
      ...{ kind: 'stream', turn: 't1', event: 'status', at: us(at) },
      status,
    });
    for (const status of ['processing', 'elsewhere']) {
      expect(waited(poll(20, 't1', 'queued', 207, 210), poll(21, 't1', status, 190, 195))).toBe(false);
      expect(waited(poll(20, 't1', 'queued', 207, 210), told(status, 206))).toBe(false);
      expect(waited(poll(20, 't1', 'queued', 207, 210), told(status, 207))).toBe(true);
    }
    expect(waited(poll(20, 't1', 'queued', 207, 210), told('queued', 190))).toBe(true);
    const taken = (status: string) => {
      const turn = { id: 't1', status };
      return proves([first, accepted(1, 't1', 10, 15, { turn }), poll(20, 't1', 'queued', 207, 210), refused()], work);
    };
    expect(['queued', 'accepted', 'processing'].map(taken)).toEqual([true, true, false]);
    expect(proves([first, accepted(1, 't1', 10, 15), poll(20, 't1', 'queued', 207, 210), refused()], listed)).toBe(
      false,
    );
  });
});
