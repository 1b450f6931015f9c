import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { runs } from '../../testing/share.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { judge } from '../index.ts';
import { type RateService, rateJournal } from '../rate-service.exam.ts';
import type { Range } from '../reading.ts';
import {
  honestLimiters,
  honestSlidingLog,
  honestTokenBucket,
  type MakeHonest,
} from '../readings/honest-limiters.exam.ts';
import { inferenceOf, rateOf, service, W } from './inferred.exam.ts';
import { behaviour } from './sentence.ts';

const numbersAllow = (range: Range | undefined, number: number): boolean =>
  (range?.from ?? 0) <= number && (range?.to ?? Number.POSITIVE_INFINITY) >= number;

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8].slice(0, runs(8, 3));

/** Users who share a token could be counted in any way: a limit per user would explain all of this. */
const ofOneUserEach = (make: MakeHonest, of: RateService, seed: number) =>
  rateJournal(make, of, seed).map((record) =>
    record.kind === 'exchange' ? { ...record, application: 'a1', user: record.token as string } : record,
  );

describe('what a limit behaves as', () => {
  // Of two that behave alike the plainer one is told.
  const plainer: Readonly<Record<string, readonly string[]>> = {
    'fixed-window': ['fixed-window', 'fixed-window-aligned'],
    'interval-refill': ['interval-refill', 'token-bucket'],
    'fixed-window-penalty': ['fixed-window-penalty', 'fixed-window-anchored'],
  };

  it.each(Object.entries(honestLimiters))(
    '%s: never ruled out, with the numbers that it has',
    (_, { make, readings }) => {
      const own = readings[0] as string;
      let met = 0;
      for (const seed of SEEDS) {
        const { inference } = rateOf(make, service, seed);
        if (!inference) continue;
        met += 1;
        const { possible, ruledOut } = inference;
        expect(ruledOut.map(({ reading }) => reading)).not.toContain(own);
        const told = possible.filter(({ reading }) => (plainer[own] ?? [own]).includes(reading));
        expect(told.length, `seed ${seed}`).toBeGreaterThan(0);
        for (const { parameters = {} } of possible.filter(({ reading }) => reading === own)) {
          expect(numbersAllow(parameters.max ?? parameters.capacity, 5)).toBe(true);
          expect(numbersAllow(parameters.windowUs, W)).toBe(true);
          expect(numbersAllow(parameters.perWindow, 5)).toBe(true);
        }
      }
      expect(met).toBeGreaterThanOrEqual(Math.floor(SEEDS.length / 2));
    },
  );

  it('is said in a sentence, the declared reading first, with the requests that rule others out', () => {
    const { behaves, sentence, possible } = inferenceOf(honestSlidingLog, { ...service, reading: 'sliding-log' }, 1);
    expect(possible[0]).toMatchObject({ reading: 'sliding-log', parameters: { max: { from: 5, to: 5 } } });
    expect(behaves).toMatch(
      /^3 readings explain it: a sliding log of 5 per 60 s per token, refused requests not counted, or .*, or 1 other$/,
    );
    expect(sentence).toMatch(/; a sliding log in which refused requests count is ruled out by requests \d+–\d+; /);
    expect(sentence).toMatch(/; a token bucket is ruled out by requests \d+–\d+(;|$)/);
  });

  it('is told with another number, or of other buckets, where those explain it', () => {
    const seven: MakeHonest = (max, windowUs, phase) => honestSlidingLog(max + 2, windowUs, phase);
    const more = { ...service, pressure: 25, requests: 600, reading: 'sliding-log' };
    const { possible } = judge(ofOneUserEach(seven, more, 1)).limits[0]?.inference ?? { possible: [] };
    expect(possible.find(({ reading }) => reading === 'sliding-log')).toMatchObject({
      says: 'a sliding log of 7 per 60 s per token, refused requests not counted',
      parameters: { max: { from: 7, to: 7 } },
    });
    const asIfPerApplication = ofOneUserEach(honestSlidingLog, more, 3).map((record) =>
      record.kind === 'header'
        ? { ...record, profile: { limits: { rate: { reading: 'sliding-log', scope: 'application' } } } }
        : record,
    );
    const [rate] = judge(asIfPerApplication).limits;
    expect(rate).toMatchObject({ limit: 'rate', verdict: 'violated', because: 'over-admission' });
    expect(rate?.inference?.behaves).toContain('a sliding log of 5 per 60 s per user, refused requests not counted');
  });

  it('is told with another window to three digits, like the numbers that fit', () => {
    const shorter: MakeHonest = (max, windowUs, phase) => honestSlidingLog(max, windowUs * 0.31234567, phase);
    const more = { ...service, pressure: 25, requests: 400, reading: 'sliding-log' };
    const { possible } = judge(ofOneUserEach(shorter, more, 1)).limits[0]?.inference ?? { possible: [] };
    const told = possible.filter(({ reading }) => reading === 'sliding-log').map(({ says }) => says);
    expect(told).toEqual([
      expect.stringMatching(/^a sliding log of 5 per 13\.3 s per token, refused requests not counted$/),
    ]);
  });

  it('is told of a bucket that regains fewer than declared, which no whole number need be', () => {
    const slower: MakeHonest = (max, windowUs, phase) => honestTokenBucket(max, windowUs * 1.6, phase);
    const more = { ...service, max: 4, pressure: 20, requests: 900, reading: 'token-bucket' };
    const { possible, sentence } = judge(ofOneUserEach(slower, more, 1)).limits[0]?.inference ?? { possible: [] };
    const { perWindow } = possible.find(({ reading }) => reading === 'token-bucket')?.parameters ?? {};
    expect(perWindow?.from, sentence).toBeGreaterThan(2.3);
    expect(perWindow?.from).toBeLessThanOrEqual(2.5);
    expect(perWindow?.to).toBeGreaterThanOrEqual(2.5);
  });

  it.each([
    [20, 15, 1],
    [100, 60, 2],
    [50, 47, 1],
  ])('is told of a bucket of %i that regains them in %i windows', (max, windows, seed) => {
    const slow: MakeHonest = (most, windowUs, phase) => honestTokenBucket(most, windowUs * windows, phase);
    const many = { ...service, max, pressure: max * 0.6, requests: 1_500, reading: 'token-bucket' };
    const { possible, sentence } = judge(ofOneUserEach(slow, many, seed)).limits[0]?.inference ?? { possible: [] };
    const { perWindow } = possible.find(({ reading }) => reading === 'token-bucket')?.parameters ?? {};
    expect(perWindow?.from, sentence).toBeLessThanOrEqual(max / windows);
    expect(perWindow?.to).toBeGreaterThanOrEqual(max / windows);
  });

  it('is no limit that was met where nothing was refused', () => {
    const records = { ...service, pressure: 60, requests: 60, reading: 'sliding-log' };
    const verdict = rateOf(() => ({ decide: () => true, copy: () => honestSlidingLog(1, 1, 0) }), records, 1);
    expect(verdict.verdict).toBe('violated');
    expect(verdict.inference?.behaves).toMatch(/^nothing was refused: the limit is \d+ per 60 s or higher$/);
  });

  it('is told of buckets by what they hold and what they regain', () => {
    const { possible } = inferenceOf(honestTokenBucket, { ...service, requests: 300, reading: 'token-bucket' }, 2);
    const { capacity, perWindow } = possible.find(({ reading }) => reading === 'token-bucket')?.parameters ?? {};
    expect(capacity).toEqual({ from: 5, to: 5 });
    expect(perWindow?.from).toBeGreaterThan(4);
    expect(perWindow?.to).toBeLessThan(6);
  });

  it('is no other reading that is ruled out only where other requests count, while the profile leaves open which do', () => {
    const rate = { max: 2, window: '60s', reading: 'token-bucket', scope: 'application' };
    const second = 1_000_000;
    const at = (seq: number, operation: Exchange['operation'], seconds: number) => {
      const sentAt = (seconds * second) as Micros;
      return exchange({ seq, operation, sentAt });
    };
    const error = { code: 'rate_limited', retryable: true, requestId: '' };
    const { limits } = judge([
      header({
        profile: TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate } }),
        limits: {
          rate: { max: 2, windowUs: W as Micros, reading: 'token-bucket' },
          concurrency: { max: 2 },
          daily: { max: 50 },
        },
        clock: { driftPpm: 0, granularityUs: 0 as Micros, maxServerDelayUs: 0 as Micros },
      }),
      // Refused, because token requests count, too.
      at(0, 'issueToken', 1),
      at(1, 'readHistory', 2),
      { ...at(2, 'readHistory', 3), outcome: 'refused', status: 429, error },
      end({ exchanges: 3, at: (4 * second) as Micros }),
    ]);
    expect(limits[0]).toMatchObject({ limit: 'rate', verdict: 'consistent' });
    expect(limits[0]?.inference?.ruledOut).toEqual([]);
    expect(limits[0]?.inference?.possible.map(({ reading, counts }) => `${reading}, ${counts}`)).toEqual([
      'token-bucket, all',
      'sliding-log, all',
      'sliding-log-counting-refused, all',
      'fixed-window-aligned, all',
      'fixed-window-anchored, all',
      'sliding-counter, all',
    ]);
  });
});

it.each([
  [[], 'behaves as no known limit'],
  [['one'], 'behaves as one'],
  [['one', 'two'], '2 readings explain it: one, or two'],
  [['one', 'two', 'three'], '3 readings explain it: one, or two, or 1 other'],
  [['one', 'two', 'three', 'four'], '4 readings explain it: one, or two, or 2 others'],
])('none of several readings is told as a finding: %j', (says, told) => {
  const possible = says.map((one) => ({ reading: one, scope: 'token', counts: 'admitted', says: one }));
  expect(behaviour(possible, undefined, { windowUs: W } as Bounds)).toBe(told);
});
