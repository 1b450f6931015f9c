import { describe, expect, it } from 'vitest';
import { accepted, end, exchange, header, poll, refused, us } from '../../testing/history/sample-records.ts';
import { Part } from '../evidence/slice.ts';
import { judge } from '../index.ts';
import { foldedOf } from '../limits/judging.exam.ts';
import { rateCase } from '../limits/rate.ts';
import { type RateService, rateJournal } from '../rate-service.exam.ts';
import { honestLimiters, honestSlidingLog, type MakeHonest } from '../readings/honest-limiters.exam.ts';
import { beginningOf } from './beginning.ts';

describe('what a limit behaves as in a history of more than 5,000 attempts', () => {
  const long: RateService = {
    ...{ max: 5, windowUs: 60_000_000, pressure: 30, requests: 5_600 },
    ...{ code: 'rate_limited', scope: 'token' },
  };
  /** With one user for each token, whom nothing else tells apart. */
  const journalOf = (make: MakeHonest, reading: string, members: Partial<RateService> = {}) =>
    rateJournal(make, { ...long, reading, ...members }, 1).map((record) =>
      record.kind === 'exchange' ? { ...record, application: 'a1', user: record.token as string } : record,
    );
  const inferenceOf = (...how: Parameters<typeof journalOf>) => judge(journalOf(...how)).limits[0]?.inference;

  // Others have two numbers, or refuse so much that nothing shows how many they admit.
  it.each(['sliding log', 'fixed window', 'fixed window aligned', 'anchored window', 'penalty'] as const)(
    '%s: with another number than declared, by its beginning',
    (name) => {
      const { make, readings } = honestLimiters[name] as (typeof honestLimiters)[string];
      const more: MakeHonest = (max, windowUs, phase) => make(max + 2, windowUs, phase);
      const { attempts, behaves, possible = [] } = inferenceOf(more, readings[0] as string) ?? {};
      expect(attempts).toBe(5_000);
      expect(behaves).toMatch(/ \(by its first 5,000 attempts\)$/);
      const own = possible.find(({ reading }) => reading === readings[0]);
      expect(own?.parameters?.max).toEqual({ from: 7, to: 7 });
    },
  );

  it('is not looked for where the beginning has no refusal: any number that was never reached would fit', () => {
    const never: MakeHonest = (_, windowUs, phase) => honestSlidingLog(1_400, windowUs, phase);
    const { attempts, behaves, possible } =
      inferenceOf(never, 'sliding-log', { max: 300, pressure: 7_000, requests: 8_000 }) ?? {};
    expect(behaves).toBe(
      'behaves as no known limit with the declared numbers (others are tried for its first 5,000 attempts, of which none was certainly refused)',
    );
    expect([attempts, possible]).toEqual([undefined, []]);
  });

  it('says how many attempts that are, where those of one instant stay together', () => {
    const more: MakeHonest = (max, windowUs, phase) => honestSlidingLog(max + 2, windowUs, phase);
    const journal = journalOf(more, 'sliding-log');
    const sentAt =
      journal.flatMap((one) => (one.kind === 'exchange' && one.seq === 4_900 ? one.sentAt : []))[0] ?? us(0);
    const records = journal.map((one) =>
      one.kind === 'exchange' && one.seq >= 4_900 && one.seq < 5_100 ? { ...one, sentAt } : one,
    );
    const { attempts, behaves } = judge(records).limits[0]?.inference ?? {};
    expect(attempts).toBe(4_900);
    expect(behaves).toMatch(/ \(by its first 4,900 attempts\)$/);
  });

  it('is of the whole history where a reading explains it', () => {
    const { attempts, behaves } = inferenceOf(honestSlidingLog, 'sliding-log') ?? {};
    expect(behaves).toMatch(
      /^2 readings explain it: a sliding log of 5 per 60 s per token, refused requests not counted, or a sliding counter [^,]* windows\)$/,
    );
    expect(attempts).toBeUndefined();
  });

  it('is not told as found where no reading but the declared one was tried: of more than 20,000 attempts', () => {
    const behavesOf = (reading: string) => inferenceOf(honestSlidingLog, reading, { requests: 21_000 })?.behaves;
    expect(behavesOf('sliding-log')).toBe(
      'behaves as a sliding log of 5 per 60 s per token, refused requests not counted (others are tried in histories of up to 20,000 attempts)',
    );
    expect(behavesOf('unknown')).not.toContain('others are tried');
  });

  it('is said not to have been looked for with other numbers, for limits of turns', () => {
    const three = ['a', 'b', 'c'].map((turn, i) => accepted(i, turn, i * 10_000, i * 10_000 + 1_000));
    const polls = ['a', 'b', 'c', 'a', 'b', 'c'].map((turn, i) =>
      poll(3 + i, turn, 'processing', 40_000 + i * 1_000, 40_500 + i * 1_000),
    );
    const refusals = Array.from({ length: 5_000 }, (_, i) => refused(9 + i, 70_000 + i * 10, 'concurrency_limited'));
    const profile = { errorCodes: { known: true }, limits: { concurrency: { reading: 'semaphore' } } };
    const exchanges = [...three, ...polls, ...refusals].map((one) => ({ ...one, token: 't1', conversation: 'c1' }));
    const records = [header({ profile }), ...exchanges, end({ exchanges: 5_009 })];
    const verdict = judge(records).limits.find(({ limit }) => limit === 'concurrency');
    expect(verdict?.verdict).toBe('violated');
    expect(verdict?.inference?.behaves).toBe(
      'behaves as no known limit with the declared numbers (others are tried in histories of up to 5,000 attempts)',
    );
  });
});

/** Three users, each with a conversation of the same identifier, which may be one. */
const ofThree = Array.from({ length: 60 }, (_, i) => {
  const at = 1_000 * i;
  const labels = { user: `u${i % 3}`, token: `t${i % 3}`, conversation: 'c1' };
  const answered = { ...labels, sentAt: us(at), headersAt: us(at + 3_500), receivedAt: us(at + 3_500) };
  return i % 2 === 1 ? { ...refused(i, at, 'rate_limited'), ...answered } : exchange({ seq: i, ...answered });
});

describe('the beginning of a history', () => {
  const records = [header(), ...ofThree, end({ exchanges: 60 })];
  const whole = rateCase(foldedOf(records).evidence);

  it('has no refusal that may be due to what is left out', () => {
    const [slice] = beginningOf(whole, 10)?.asDeclared.slices() ?? [];
    const { admitted, refused, maybe } = Part;
    expect([...(slice?.part ?? [])]).toEqual([
      admitted,
      refused,
      admitted,
      refused,
      admitted,
      refused,
      admitted,
      maybe,
      admitted,
      maybe,
    ]);
    expect([...(slice?.row ?? [])]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is the whole history if that is no longer', () => {
    expect(beginningOf(whole, 60)?.asDeclared.slices()).toEqual(whole.asDeclared.slices());
  });

  it('makes no buckets of what comes later', () => {
    const uncut = () => {
      throw new Error('made');
    };
    const beginning = beginningOf(
      { ...whole, elsewhere: whole.elsewhere.map((how) => ({ ...how, slices: uncut })) },
      10,
    );
    const sizes = beginning?.elsewhere.map((how) => [how.scope, how.slices().map(({ size }) => size)]) ?? [];
    expect(Object.fromEntries(sizes)).toMatchObject({ address: [10], token: [4, 3, 3], conversation: [10, 10, 10] });
  });
});
