import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import { clock, days, HOUR, holds, type Otherwise, refused, sent, unflushed, wrongful } from './days.exam.ts';

describe('a refusal although the quota was not used up', () => {
  const out = (hour: number, members: Partial<Exchange> = {}): Exchange => ({ ...refused(9, hour), ...members });
  /** Refused at an hour, after messages at others, of which those before the third are named. */
  const proves = (reading: string, hours: readonly number[], at: number, otherwise: Otherwise = {}, members = {}) =>
    holds(wrongful({ reading, ...members }), [...days(hours), out(at)], otherwise);

  it('on a day of UTC: fewer than three since midnight', () => {
    expect(proves('utc', [0, 1], 5)).toBe(true);
    expect(proves('utc', [0, 1, 2], 5)).toBe(false);
    expect(proves('utc', [13, 14, 11], 20)).toBe(true);
    expect(proves('utc', [13, 14, 12], 20)).toBe(false);
    // Sent after it.
    expect(proves('utc', [0, 1, 6], 5)).toBe(true);
    // Two records of one number: nobody knows when either was sent, and each may have counted.
    const twice = [...days([0, 1]), { ...sent(1, 2), message: { id: 'm-t1', digest: 'd-t1' } }, out(5)];
    expect(holds(wrongful(), twice)).toBe(false);
    expect(holds(wrongful(), [...days([0]), sent(1, 1), out(5)])).toBe(true);
    expect(proves('utc', [0, 1], 5, {}, { exchanges: [0] })).toBe(false);
    // Before a midnight that the refusal may have lain behind.
    const across = out(11.9, { headersAt: us(12.1 * HOUR), receivedAt: us(12.1 * HOUR) });
    expect(holds(wrongful(), [...days([0, 1, 2]), across])).toBe(false);
    expect(holds(wrongful(), [...days([0, 1]), across])).toBe(true);
  });

  it('within 24 hours before, rolling or from first use', () => {
    for (const reading of ['rolling', 'first-use']) {
      expect(proves(reading, [20, 21, 5], 30)).toBe(true);
      expect(proves(reading, [20, 21, 5.9], 30)).toBe(true);
      expect(proves(reading, [20, 21, 5.9], 29.8)).toBe(false);
      expect(proves(reading, [20, 21, 5], 29.1)).toBe(true);
      expect(proves(reading, [20, 21, 5], 28.9)).toBe(false);
    }
    // A request that began while it was decided, when the first was a day old.
    const slow = out(28.9, { headersAt: us(29.5 * HOUR), receivedAt: us(29.5 * HOUR) });
    expect(holds(wrongful({ reading: 'rolling', exchanges: [0, 1, 2] }), [...days([5, 20, 29.2]), slow])).toBe(true);
    expect(holds(wrongful({ reading: 'rolling', exchanges: [0, 1, 2] }), [...days([5, 20, 28.95]), slow])).toBe(false);
  });

  it('wherever on earth', () => {
    expect(proves('token-timezone', [20, 21], 30)).toBe(true);
    expect(proves('token-timezone', [20, 21, 22], 30)).toBe(false);
    expect(proves('token-timezone', [20, 21, 5], 30)).toBe(true);
    expect(proves('token-timezone', [20, 21, 5], 28.9)).toBe(false);
    const two = (third: number, otherwise: Otherwise = {}) =>
      holds(
        wrongful({ reading: 'token-timezone' }),
        [...days([60, 61, third]).map((one) => ({ ...one, token: `t${one.seq}` })), out(70)],
        otherwise,
      );
    // At UTC + 14 h, the hour 22 begins a date that still is one at UTC − 12 h when it was refused.
    expect(two(21.9)).toBe(true);
    expect(two(22)).toBe(false);
    expect(two(19, { clocks: [] })).toBe(true);
    expect(two(21, { clocks: [] })).toBe(false);
    expect(proves('token-timezone', [60, 61, 43], 70, { clocks: [] })).toBe(true);
    expect(proves('token-timezone', [60, 61, 45], 70, { clocks: [] })).toBe(false);
    expect(proves('utc', [60, 61, 45], 70, { clocks: [] })).toBe(true);
    expect(proves('utc', [60, 61, 47], 70, { clocks: [] })).toBe(false);
  });

  it('where clocks are set: a day of 25 hours', () => {
    const october = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 9, 24, 12) * 1_000) }] };
    // In Paris 25 October lasts from 22:00 to 23:00 UTC on the day after.
    const early = [10.05, 10.06, 10.07];
    const all = { exchanges: [0, 1, 2] };
    expect(proves('token-timezone', early, 34.5, {}, all)).toBe(true);
    expect(proves('token-timezone', early, 34.5, october, all)).toBe(false);
    expect(proves('token-timezone', [9.95, 10.06, 10.07], 34.5, october, all)).toBe(true);
    // And till midnight in Troll, where clocks are set by two hours.
    expect(proves('token-timezone', early, 35.95, october, all)).toBe(false);
    expect(proves('token-timezone', early, 36.05, october, all)).toBe(true);
  });

  it('of every kind, as far back as it says, and that is far enough', () => {
    const back = (hours: number) => ({ lookBackUs: hours * HOUR });
    expect(proves('every', [60, 61, 43], 70, {}, back(26.01))).toBe(true);
    expect(proves('every', [60, 61, 45], 70, {}, back(26.01))).toBe(false);
    expect(proves('every', [60, 61, 43], 70, {}, back(26))).toBe(false);
    const unsure = { clocks: [{ ...clock, plusMinusUs: us(HOUR) }] };
    expect(proves('every', [60, 61], 70, unsure, back(30))).toBe(false);
    expect(proves('every', [60, 61], 70, unsure, back(30.1))).toBe(true);
    expect(proves('every', [60, 61], 70, { clocks: [] }, back(26))).toBe(true);
    expect(proves('every', [60, 61], 70, unflushed, back(26.01))).toBe(true);
    expect(proves('every', [30, 31], 49, unflushed, back(26.01))).toBe(false);
    expect(proves('every', [30, 31], 51, unflushed, back(26.01))).toBe(true);
    const two = [...days([60, 61]).map((one) => ({ ...one, token: `t${one.seq}` })), out(70)];
    expect(holds(wrongful({ reading: 'every', ...back(50) }), two)).toBe(false);
    expect(holds(wrongful({ reading: 'every', ...back(50.01) }), two)).toBe(true);
  });

  it('needs a history that is whole and exclusive, and two days of it where it was not flushed', () => {
    expect(proves('utc', [0, 1], 5, { heading: { exclusive: false } })).toBe(false);
    expect(proves('utc', [0, 1], 5, { complete: false })).toBe(false);
    // And half a minute, in which messages from before may still be charged.
    for (const reading of ['utc', 'rolling', 'first-use']) {
      expect(proves(reading, [40, 41], 48, unflushed)).toBe(false);
      expect(proves(reading, [40, 41], 48.01, unflushed)).toBe(true);
    }
    expect(proves('token-timezone', [40, 41], 50, unflushed)).toBe(false);
    expect(proves('token-timezone', [40, 41], 50.01, unflushed)).toBe(true);
    expect(proves('token-timezone', [40, 41], 50, { ...unflushed, clocks: [] })).toBe(false);
    expect(proves('token-timezone', [40, 41], 50.01, { ...unflushed, clocks: [] })).toBe(true);
  });

  it('is a refusal by this limit, of a message of this scope', () => {
    const two = days([0, 1]);
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    expect(holds(wrongful(), [...two, out(5, { error })])).toBe(false);
    expect(holds(wrongful(), [...two, out(5, { operation: 'readTurn' })])).toBe(false);
    expect(holds(wrongful(), [...two, out(5, { application: 'a2' })])).toBe(false);
    expect(holds(wrongful(), [...two, out(5), out(5)])).toBe(false);
    expect(holds(wrongful({ refusal: 8 }), [...two, out(5)])).toBe(false);
    expect(holds(wrongful({ max: 4 }), [...two, out(5)])).toBe(false);
    expect(holds(wrongful({ limit: 'rate' }), [...two, out(5)])).toBe(false);
  });

  it('is explained by whatever may have been charged', () => {
    const withThird = (members: Partial<Exchange>, ...more: Exchange[]) =>
      holds(wrongful(), [...days([0, 1]), { ...sent(2, 2), ...members } as Exchange, ...more, out(5)]);
    const { headersAt: _, status: __, turn: ___, ...lost } = sent(2, 2);
    expect(withThird({})).toBe(false);
    expect([401, 404, 413, 422, 500].map((status) => withThird({ status }))).toEqual([true, true, true, true, false]);
    expect(withThird({ status: 422, sentAt: us(-1) })).toBe(false);
    expect(holds(wrongful(), [...days([0, 1]), { ...lost, outcome: 'failed' }, out(5)])).toBe(false);
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    expect(withThird({ outcome: 'refused', status: 429, error })).toBe(true);
    // A message is charged once, however often it is sent, but with each of its contents.
    expect(withThird({ message: { id: 'm-t1', digest: 'd-t1' } })).toBe(true);
    expect(withThird({ message: { id: 'm-t1', digest: 'other' } })).toBe(false);
    expect(withThird({ message: { id: 'm-t1', digest: 'd-t1' }, conversation: 'c2' })).toBe(false);
    // And with the first again, which a service that keeps the last one only takes for new.
    const other = sent(2, 2, { message: { id: 'm-t0', digest: 'other' } });
    const again = (hour: number) => sent(3, hour, { message: { id: 'm-t0', digest: 'd-t0' } });
    expect(holds(wrongful({ exchanges: [0, 2] }), [sent(0, 0), other, again(3), out(5)])).toBe(false);
    expect(holds(wrongful({ exchanges: [0, 2] }), [sent(0, 0), other, again(1), out(5)])).toBe(true);
    // What was sent under the id to another conversation may have been taken under the same one.
    const elsewhere = { ...other, conversation: 'c2' };
    expect(holds(wrongful({ exchanges: [0, 2] }), [sent(0, 0), elsewhere, again(3), out(5)])).toBe(false);
    expect(holds(wrongful({ exchanges: [0, 2] }), [sent(0, 0), elsewhere, again(1), out(5)])).toBe(true);
    expect(holds(wrongful(), [sent(0, 0), { ...elsewhere, status: 422 }, again(3), out(5)])).toBe(true);
    // Without an id each is a message of its own.
    const nameless = [1, 2].map((seq) => {
      const { message: _, ...one } = sent(seq, seq);
      return one;
    });
    expect(holds(wrongful(), [sent(0, 0), ...nameless, out(5)])).toBe(false);
    expect(holds(wrongful(), [sent(0, 0), ...nameless.slice(0, 1), out(5)])).toBe(true);
  });

  it('counts a message when it may have been charged: at the latest when it was first accepted', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const { headersAt: _, status: __, turn: ___, ...open } = sent(5, 11, { message });
    const lost: Exchange = { ...open, outcome: 'failed', receivedAt: us(11.5 * HOUR) };
    const yesterday = (...attempts: Exchange[]) => holds(wrongful(), [...days([13, 14]), ...attempts, out(20)]);
    expect(yesterday(lost)).toBe(true);
    expect(yesterday(lost, sent(2, 14, { message }))).toBe(false);
    expect(yesterday(sent(6, 10, { message, turn: { id: 't2', status: 'queued' } }), sent(2, 14, { message }))).toBe(
      true,
    );
    expect(yesterday(lost, sent(2, 14, { message, status: 500 }))).toBe(false);
  });

  it('counts a message from when its first attempt may have been charged until its last may', () => {
    const message = { id: 'm-t2', digest: 'd-t2' };
    const lost = (seq: number, hour: number): Exchange => {
      const { headersAt: _, status: __, turn: ___, ...open } = sent(seq, hour, { message });
      return { ...open, outcome: 'failed' };
    };
    const today = (...attempts: Exchange[]) => holds(wrongful(), [...days([13, 14]), ...attempts, out(20)]);
    expect(today(lost(5, 10), lost(6, 11))).toBe(true);
    expect(today(lost(5, 11), lost(6, 21))).toBe(false);
    expect(today(lost(5, 11), lost(6, 14), lost(7, 21))).toBe(false);
    expect(today(lost(5, 14), lost(6, 21))).toBe(false);
    const rolling = (...attempts: Exchange[]) =>
      holds(wrongful({ reading: 'rolling' }), [...days([13, 14]), ...attempts, out(30)]);
    expect(rolling(lost(5, 2), lost(6, 5))).toBe(true);
    expect(rolling(lost(5, 2), lost(6, 31))).toBe(false);
    expect(rolling(lost(5, 2), lost(6, 8), lost(7, 31))).toBe(false);
  });
});
