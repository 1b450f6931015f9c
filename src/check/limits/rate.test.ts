import { expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { end, exchange, header, refused, us, written } from '../../testing/history/sample-records.ts';
import { judge } from '../index.ts';
import { foldedOf } from './judging.exam.ts';
import { rateCase } from './rate.ts';

/** The reading that is judged where the header declares that one. */
function declared(reading: string, countsRefused: boolean, instead?: string) {
  const { evidence } = foldedOf([
    header({
      profile: TargetProfileSchema.parse({ limits: { rate: { ...written.rate, countsRefused } } }),
      limits: {
        rate: { max: 20, windowUs: us(60_000_000), reading },
        concurrency: { max: 2 },
        daily: { max: 50 },
      },
    }),
  ]);
  const { declared, readings, unknown } = rateCase(evidence, instead);
  return [declared, readings.length, unknown !== undefined];
}

it('a rate limit is judged by the reading that is declared; a sliding log by the one that counts what the profile says', () => {
  expect(declared('sliding-log', false)).toEqual(['sliding-log', 1, false]);
  expect(declared('sliding-log', true)).toEqual(['sliding-log-counting-refused', 1, false]);
  expect(declared('token-bucket', true)).toEqual(['token-bucket', 1, false]);
  expect(declared('gcra', false)).toEqual(['token-bucket', 1, false]);
  expect(declared('token-bucket', true, 'sliding-log')).toEqual(['sliding-log-counting-refused', 1, false]);
  expect(declared('unknown', true)).toEqual(['unknown', 9, true]);
  expect(declared('utc', false)).toEqual(['unknown', 9, true]);
});

it('a bucket that keeps the instant at which it will be full may refuse for as long as its clock was set back', () => {
  const SECOND = 1_000_000;
  const clock = (at: number, aheadS: number): JournalRecord => ({
    ...{ kind: 'clock', at: us(at * SECOND), plusMinusUs: us(SECOND), rate: 1 },
    serviceUs: us((1_800_000_000 + at + aheadS) * SECOND),
  });
  const verdictAt = (refusedAt: number, aheadS: number) =>
    judge([
      header({
        profile: TargetProfileSchema.parse({ errorCodes: { known: true } }),
        limits: {
          rate: { max: 20, windowUs: us(60 * SECOND), reading: 'token-bucket' },
          concurrency: { max: 2 },
          daily: { max: 50 },
        },
      }),
      ...[clock(0, 0), clock(10, aheadS)],
      exchange({ seq: 0, sentAt: us(0), headersAt: us(1_000), receivedAt: us(1_000) }),
      refused(1, refusedAt * SECOND, 'rate_limited'),
      end({ exchanges: 2 }),
    ]).limits.find(({ limit }) => limit === 'rate')?.verdict;
  expect(verdictAt(20, 0)).toBe('violated');
  expect(verdictAt(20, -3_600)).toBe('undecided');
  expect(verdictAt(4_000, -3_600)).toBe('violated');
});

it.each(['token-bucket', 'unknown'])(
  'a bucket on two nodes whose clocks differ by less than the granularity may refuse the last one of a burst (%s)',
  (reading) => {
    const verdictOf = (max: number, ...atUs: readonly number[]) => {
      const rate = { max, windowUs: us(60_000_000), reading };
      const admitted = atUs.slice(0, -1).map((at, seq) => exchange({ seq, sentAt: us(at), headersAt: us(at + 500) }));
      return judge([
        header({
          profile: TargetProfileSchema.parse({
            errorCodes: { known: true },
            limits: { rate: { ...written.rate, reading } },
          }),
          limits: { rate, concurrency: { max: 2 }, daily: { max: 50 } },
          clock: { driftPpm: 500, granularityUs: us(1_000_000), maxServerDelayUs: us(30_000_000) },
        }),
        ...admitted,
        refused(admitted.length, atUs.at(-1) as number, 'rate_limited'),
        end({ exchanges: atUs.length }),
      ]).limits.find(({ limit }) => limit === 'rate')?.verdict;
    };
    // The node that is ahead admits the first; for the other, its token is missing for longer than the burst lasts.
    expect(verdictOf(3, 0, 1_000, 2_000)).toBe('consistent');
    expect(verdictOf(3, 0, 1_000, 900_000)).toBe('consistent');
    // A sliding counter may do so for longer.
    expect(verdictOf(3, 0, 1_000, 1_100_000)).toBe(reading === 'unknown' ? 'consistent' : 'violated');
    expect(verdictOf(4, 0, 1_000, 2_000)).toBe('violated');
  },
);

it.each(['token-bucket', 'unknown'])('such a bucket may do so however slowly it refills (%s)', (reading) => {
  const HOUR = 3_600_000_000;
  const verdictOf = (refusedAt: number) =>
    judge([
      header({
        profile: TargetProfileSchema.parse({
          errorCodes: { known: true },
          limits: { rate: { ...written.rate, reading } },
        }),
        limits: { rate: { max: 3, windowUs: us(HOUR), reading }, concurrency: { max: 2 }, daily: { max: 50 } },
        clock: { driftPpm: 0, granularityUs: us(1_000_000), maxServerDelayUs: us(30_000_000) },
      }),
      ...[0, 1_000].map((at, seq) => exchange({ seq, sentAt: us(at), headersAt: us(at + 500) })),
      refused(2, refusedAt, 'rate_limited'),
      end({ exchanges: 3 }),
    ]).limits.find(({ limit }) => limit === 'rate')?.verdict;
  expect(verdictOf(2_000)).toBe('consistent');
});

it.each(['sliding-counter', 'unknown'])(
  'a sliding counter on two nodes may take the window before for longer than it lasts, where its own has not begun yet (%s)',
  (reading) => {
    const verdictOf = (counted: number, granularityUs = 1_000_000) =>
      judge([
        header({
          profile: TargetProfileSchema.parse({
            errorCodes: { known: true },
            limits: { rate: { ...written.rate, reading } },
          }),
          limits: { rate: { max: 20, windowUs: us(60_000_000), reading }, concurrency: { max: 2 }, daily: { max: 50 } },
          clock: { driftPpm: 500, granularityUs: us(granularityUs), maxServerDelayUs: us(30_000_000) },
        }),
        ...Array.from({ length: counted }, (_, seq) => exchange({ seq, sentAt: us(seq * 2_000_000) })),
        refused(counted, 58_000_000, 'rate_limited'),
        end({ exchanges: counted + 1 }),
      ]).limits.find(({ limit }) => limit === 'rate')?.verdict;
    // Half a second before its window begins, 19 weigh 19 · (60.5 / 60); with the request itself more than 20.
    expect(verdictOf(19)).toBe('consistent');
    expect(verdictOf(19, 0)).toBe('violated');
    expect(verdictOf(18)).toBe('violated');
    // Where nodes differ by a tenth of a window, 18 weigh 19.8.
    expect(verdictOf(18, 6_000_000)).toBe('consistent');
    expect(verdictOf(17, 6_000_000)).toBe('violated');
  },
);

it('a window that the clock hides is undecided for a reason that is told, and by nothing else', () => {
  const SECOND = 1_000_000;
  const clock = (at: number, aheadS: number): JournalRecord => ({
    ...{ kind: 'clock', at: us(at), plusMinusUs: us(SECOND), rate: 1 },
    serviceUs: us((1_800_000_000 + aheadS) * SECOND + at),
  });
  const rateOf = (windowUs: number, granularityUs: number, ...clocks: readonly JournalRecord[]) =>
    judge([
      header({
        profile: TargetProfileSchema.parse({ errorCodes: { known: true } }),
        limits: {
          ...{ rate: { max: 2, windowUs: us(windowUs), reading: 'unknown' } },
          ...{ concurrency: { max: 2 }, daily: { max: 50 } },
        },
        clock: { driftPpm: 500, granularityUs: us(granularityUs), maxServerDelayUs: us(30 * SECOND) },
      }),
      ...clocks,
      exchange({ seq: 0, sentAt: us(0), headersAt: us(1_000), receivedAt: us(1_000) }),
      exchange({ seq: 1, sentAt: us(2_000), headersAt: us(3_000), receivedAt: us(3_000) }),
      refused(2, 4_000, 'rate_limited'),
      end({ exchanges: 3 }),
    ]).limits.find(({ limit }) => limit === 'rate');
  const coarse =
    "the service's clock: a granularity of 1.00 s leaves nothing certain of a window of 1.00 s (if its timers are finer, write clock: { granularity } in the profile)";
  const contradicted = "the service's clock: the times in its answers contradict one another by 5.00 s";
  const apart = [clock(0, 0), clock(1_000, 3)];
  expect(rateOf(5 * SECOND, 0, clock(0, 0))).toMatchObject({ verdict: 'consistent' });
  expect(rateOf(SECOND, SECOND, clock(0, 0))).toMatchObject({ verdict: 'undecided', missing: [coarse] });
  expect(rateOf(5 * SECOND, 0, ...apart)).toMatchObject({ verdict: 'undecided', missing: [contradicted] });
  expect(rateOf(SECOND, SECOND, ...apart)).toMatchObject({ verdict: 'undecided', missing: [contradicted, coarse] });
  // The contradiction hides it alone: finer timers would not help.
  expect(rateOf(5 * SECOND, 10_000, ...apart)).toMatchObject({ verdict: 'undecided', missing: [contradicted] });
  const both = coarse.replace('1.00 s', '2.00 s').replace('1.00 s', '6.00 s');
  expect(rateOf(6 * SECOND, 2 * SECOND, ...apart)).toMatchObject({ missing: [contradicted, both] });
  expect(rateOf(60 * SECOND, SECOND, ...apart)).toMatchObject({ verdict: 'consistent' });
});
