import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../history/index.ts';
import { us } from '../../../testing/history/sample-records.ts';
import { clock, days, exact, HOUR, holds, type Otherwise, over, sent, unflushed } from './days.exam.ts';

describe('more messages than days hold', () => {
  const proves = (reading: string, messages: readonly Exchange[], otherwise: Otherwise = {}) =>
    holds(
      over(
        messages.map(({ seq }) => seq),
        { reading },
      ),
      messages,
      otherwise,
    );

  it('from midnight to midnight: four on one, seven on two', () => {
    expect(proves('utc', days([0, 1, 2, 11]))).toBe(true);
    expect(proves('utc', days([0, 1, 2]))).toBe(false);
    expect(proves('utc', days([0, 1, 2, 12]))).toBe(false);
    expect(proves('utc', days([9, 10, 11, 12, 13, 14]))).toBe(false);
    expect(proves('utc', days([9, 10, 11, 12, 13, 14, 15]))).toBe(true);
    expect(proves('utc', days([9, 12.1, 13, 14, 35.9]))).toBe(true);
    expect(proves('utc', days([9, 12.1, 13, 14, 36]))).toBe(false);
    // The answer came after midnight.
    const late = sent(3, 11, { headersAt: us(12 * HOUR), receivedAt: us(12 * HOUR) });
    expect(proves('utc', [...days([0, 1, 2]), late])).toBe(false);
  });

  it('by a clock that is known less well', () => {
    const unsure = (hours: number) => ({ clocks: [{ ...clock, plusMinusUs: us(hours * HOUR) }] });
    expect(proves('utc', days([0, 1, 2, 10]), unsure(1))).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), unsure(1))).toBe(false);
    expect(proves('utc', days([-11, 1, 2, 3].map((hour) => hour + 12)), unsure(1))).toBe(false);
    const coarse = { heading: { clock: { ...exact, granularityUs: us(HOUR) } } };
    expect(proves('utc', days([0, 1, 2, 10]), coarse)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), coarse)).toBe(false);
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves('utc', days([0, 1, 2, 10]), drifting)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 11]), drifting)).toBe(false);
    // Nobody saw it: one midnight may lie in every span.
    const unseen = { clocks: [] };
    expect(proves('utc', days([0, 1, 2, 3, 4, 5]), unseen)).toBe(false);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 6]), unseen)).toBe(true);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 24]), unseen)).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 21]), unseen)).toBe(true);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 22]), unseen)).toBe(false);
    expect(proves('utc', days([0, 1, 2, 3, 4, 5, 22]), unseen)).toBe(true);
  });

  it('of any 24 hours: four in one, seven in two', () => {
    expect(proves('rolling', days([5, 6, 7, 28]))).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 29]))).toBe(false);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31]))).toBe(false);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31, 52]))).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 29, 30, 31, 53]))).toBe(false);
    const drifting = { heading: { clock: { ...exact, driftPpm: 100_000 } } };
    expect(proves('rolling', days([5, 6, 7, 26]), drifting)).toBe(true);
    expect(proves('rolling', days([5, 6, 7, 27]), drifting)).toBe(false);
  });

  it('of 24 hours from first use: four since the first message of a bucket that is wholly known, else seven', () => {
    expect(proves('first-use', days([5, 6, 7, 28]))).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 29]))).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), unflushed)).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), { complete: false })).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 28]), { heading: { exclusive: false } })).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10]), unflushed)).toBe(false);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 11]), unflushed)).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 29]), unflushed)).toBe(false);
    // Another message, an hour before, may have begun the day.
    const named = days([5, 6, 7, 28]);
    const before = sent(9, 4);
    expect(holds(over([0, 1, 2, 3], { reading: 'first-use' }), [before, ...named])).toBe(false);
    expect(holds(over([0, 1, 2, 3], { reading: 'first-use' }), [...named, sent(9, 30)])).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 10, 52]))).toBe(true);
    expect(proves('first-use', days([5, 6, 7, 8, 9, 30, 53]))).toBe(false);
  });

  it('from midnight to midnight somewhere on earth', () => {
    // No zone has four of these on two days.
    expect(proves('token-timezone', days([0, 1, 2, 3]))).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5]))).toBe(false);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 6]))).toBe(true);
    expect(proves('token-timezone', days([0, 1, 2, 3, 4, 5, 30]))).toBe(false);
    // Four within less than a quarter of an hour lie on one day, wherever.
    expect(proves('token-timezone', days([0.01, 0.02, 0.03, 0.04]))).toBe(true);
    expect(proves('token-timezone', days([0.01, 0.02, 0.03, 0.26]))).toBe(false);
    // Of several tokens each may have a zone of its own.
    const two = (hours: readonly number[]) => hours.map((hour, seq) => sent(seq, hour, { token: `t${seq % 2}` }));
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]))).toBe(false);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 6]))).toBe(true);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 21.9]))).toBe(true);
    expect(proves('token-timezone', two([0.1, 1, 2, 3, 4, 5, 22]))).toBe(false);
    expect(proves('token-timezone', two([0, 1, 2, 3, 4, 5, 6]), { clocks: [] })).toBe(false);
    // They all have the same where one zone was asked for, or none.
    const told = (...timezones: readonly string[]) => ({ heading: { timezones } });
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told())).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told('Europe/Paris'))).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.26]), told())).toBe(false);
    expect(proves('token-timezone', two([0, 1, 2, 3, 4, 5, 6]), { clocks: [], ...told() })).toBe(true);
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), told('no', 'zone'))).toBe(false);
    // From noon in UTC it is another day in Tokyo after three hours, in Paris after eleven.
    const several = told('Asia/Tokyo', 'Europe/Paris');
    expect(proves('token-timezone', two([0.01, 0.02, 0.03, 0.04]), several)).toBe(true);
    expect(proves('token-timezone', two([2.91, 2.92, 2.93, 2.99]), several)).toBe(true);
    expect(proves('token-timezone', two([3.01, 3.02, 3.03, 3.04]), several)).toBe(false);
    expect(proves('token-timezone', two([11.01, 11.02, 11.03, 11.04]), several)).toBe(true);
  });

  it('where clocks are set: a day of 23 hours', () => {
    // Three before and three behind 23:00 UTC, one at 22:03 on the day after: too many for days of 24 hours, wherever.
    const messages = days([10.95, 10.96, 10.97, 11.03, 11.04, 11.05, 34.05]);
    expect(proves('token-timezone', messages)).toBe(true);
    // In Paris 29 March lasts from 23:00 to 22:00 UTC.
    const march = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 2, 28, 12) * 1_000) }] };
    expect(proves('token-timezone', messages, march)).toBe(false);
    expect(proves('token-timezone', days([10.95, 10.96, 10.97, 11.03, 11.04, 11.05, 33.95]), march)).toBe(true);
    // A week later clocks are set in the south, where midnight is at other hours.
    const april = { clocks: [{ ...clock, serviceUs: us(Date.UTC(2026, 3, 14, 12) * 1_000) }] };
    expect(proves('token-timezone', messages, april)).toBe(true);
  });

  it('by a clock coarser than a day nothing is proven', () => {
    const coarse = { heading: { clock: { ...exact, granularityUs: us(25 * HOUR) } } };
    for (const reading of ['rolling', 'first-use', 'every'])
      expect(proves(reading, days([0, 1, 2, 3, 4, 5, 6]), coarse), reading).toBe(false);
  });

  it('of every kind', () => {
    expect(proves('every', days([0, 1, 2, 3, 4, 5, 21]))).toBe(true);
    expect(proves('every', days([0, 1, 2, 3, 4, 5, 22]))).toBe(false);
    expect(proves('every', days([0, 1, 2, 3, 4, 5]))).toBe(false);
    const two = days([0, 1, 2, 3, 4, 5, 6]).map((one) => ({ ...one, token: `t${one.seq % 2}` }));
    expect(proves('every', two)).toBe(false);
  });

  it('are surely new, accepted and different', () => {
    const four = days([0, 1, 2, 11]);
    const with4th = (members: Partial<Exchange>, ...more: Exchange[]) =>
      holds(over([0, 1, 2, 3]), [...four.slice(0, 3), { ...four[3], ...members } as Exchange, ...more]);
    const again = (members: Partial<Exchange>) => {
      const message = { id: 'm-t3', digest: 'd-t3' };
      return with4th({}, sent(9, 11.5, { turn: { id: 't3', status: 'queued' }, message, ...members }));
    };
    expect(with4th({})).toBe(true);
    expect(with4th({ status: 200 })).toBe(false);
    expect(with4th({ bodyProblem: 'cut' })).toBe(false);
    expect(with4th({ sentAt: us(-1) })).toBe(false);
    expect(with4th({ resend: 'sameContent' as never })).toBe(false);
    expect(with4th({ attempt: 2 })).toBe(false);
    expect(again({ attempt: 2 })).toBe(true);
    expect(with4th({ message: { id: 'm-t2', digest: 'd-t2' } })).toBe(false);
    expect(with4th({ application: 'a2' })).toBe(false);
    expect(again({})).toBe(true);
    expect(again({ sentAt: us(13 * HOUR), headersAt: us(13 * HOUR), receivedAt: us(13 * HOUR) })).toBe(true);
    expect(again({ token: 't9' })).toBe(false);
    // Within what an id is unique is nowhere said: the service may take both for one message, and which of them was first must be sure.
    expect(again({ conversation: 'c2' })).toBe(true);
    expect(again({ conversation: 'c2', sentAt: us(10.5 * HOUR) })).toBe(false);
    expect(again({ message: { id: 'm-t3', digest: 'other' } })).toBe(false);
    expect(again({ message: { id: 'm-t3', digest: 'other' }, status: 422 })).toBe(true);
    expect(again({ seq: 0 })).toBe(false);
    expect(again({ sentAt: us(-1) })).toBe(false);
    expect(holds(over([0, 1, 2, 3, 3]), four)).toBe(false);
    expect(holds(over([0, 1, 2, 8]), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { max: 4 }), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { scope: { application: 'a2' } }), four)).toBe(false);
    expect(holds(over([0, 1, 2, 3], { reading: 'sliding-log' }), four)).toBe(false);
    // Sent on the day before, and accepted on this one: nobody knows when it was charged.
    const {
      headersAt: _,
      status: __,
      turn: ___,
      ...lost
    } = sent(9, -0.5 + 12, { message: { id: 'm-t3', digest: 'd-t3' } });
    const later = days([13, 14, 15, 16]);
    expect(holds(over([0, 1, 2, 3]), later)).toBe(true);
    expect(holds(over([0, 1, 2, 3]), [{ ...lost, outcome: 'failed' }, ...later])).toBe(false);
  });
});
