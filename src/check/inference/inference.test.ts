import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { runs } from '../../testing/share.ts';
import type { Bounds } from '../bounds.ts';
import { judge } from '../index.ts';
import { type RateService, rateJournal } from '../rate-service.exam.ts';
import type { Range } from '../reading.ts';
import {
  honestLimiters,
  honestSlidingLog,
  honestTokenBucket,
  type MakeHonest,
} from '../readings/honest-limiters.exam.ts';
import type { LimitVerdict } from '../verdict.ts';
import { experimentFor } from './experiment.ts';
import { fitsOf } from './fits.ts';
import type { Inference } from './inference.ts';
import { models } from './models.ts';
import { propose } from './propose.ts';
import { greatestThat, leastThat } from './search.ts';
import { behaviour } from './sentence.ts';

const W = 60_000_000;
const service: RateService = { max: 5, windowUs: W, pressure: 14, requests: 160, code: 'rate_limited', scope: 'token' };

function rateOf(...of: Parameters<typeof rateJournal>): LimitVerdict {
  const verdict = judge(rateJournal(...of)).limits.find(({ limit }) => limit === 'rate');
  if (!verdict) throw new Error('the rate limit was not judged');
  return verdict;
}

/** Of a limit that surely was met. */
function inferenceOf(...of: Parameters<typeof rateJournal>): Inference {
  const { inference } = rateOf(...of);
  if (!inference) throw new Error('nothing was inferred');
  return inference;
}

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

describe('an experiment', () => {
  const numbers = { max: 20, windowUs: W };
  const names = Object.keys(models);

  it('is proposed for every two readings that differ in more than their phase', () => {
    for (const [i, one] of names.entries())
      for (const other of names.slice(i + 1)) {
        const experiment = experimentFor([one, other], numbers);
        // An aligned window is one whose phase is known; ticks are seen within a second only.
        const alike = ['fixed-window-aligned fixed-window', 'token-bucket interval-refill'].includes(`${one} ${other}`);
        expect(experiment !== undefined, `${one} ${other}`).toBe(!alike);
      }
  });

  it('is, for small numbers, what it was', async () => {
    const lines = [1, 2, 3, 5].flatMap((max) =>
      [names, ...names.flatMap((one, i) => names.slice(i + 1).map((other) => [one, other]))].map((readings) => {
        const experiment = experimentFor(readings, { max, windowUs: 10_000_000 });
        if (!experiment) return `${max}, ${readings.join(' ')}: none`;
        const { bursts, pairs, expected } = experiment;
        const sent = bursts.map(({ atUs, requests }) => `${requests} at ${atUs / 1e6} s`).join(', ');
        const seen = expected.map(({ reading, admitted, percent }) => `${reading} ${admitted} ${percent} %`).join('; ');
        return `${max}, ${sent}: ${pairs[0]} of ${pairs[1]}; ${seen}`;
      }),
    );
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('experiments.golden');
  });

  it.each([
    [['first-use', 'rolling'], 1, undefined],
    [
      ['first-use', 'rolling'],
      3,
      'send 1 message, 2 more 12 hours later, and 2 at 24 hours after the first: a day from the first message accepts all, a span of any 24 hours accepts 1',
    ],
    [
      ['utc', 'rolling'],
      1,
      'send 1 message in the hour before that midnight and one just after it: a day from 00:00 UTC accepts it, a span of any 24 hours refuses it',
    ],
  ])('of days %j with a quota of %i is %j', (readings, max, sentence) => {
    const possible = readings.map((reading) => ({ reading, scope: 'application', counts: '', says: '' }));
    expect(propose('daily', possible, { max } as Bounds)?.sentence).toBe(sentence);
  });

  it('is proposed for limits that it can be tried out for, up to 200', () => {
    expect(experimentFor(['fixed-window', 'sliding-log'], { max: 200, windowUs: W })?.pairs).toEqual([1, 1]);
    expect(experimentFor(names, { max: 201, windowUs: W })).toBeUndefined();
    expect(experimentFor(names, { max: 1_000_000, windowUs: W })).toBeUndefined();
  });

  it('shows what honest limiters do', () => {
    const experiment = experimentFor(names, numbers);
    for (const [name, { make, readings }] of Object.entries(honestLimiters)) {
      const foretold = experiment?.expected.find(({ reading }) => reading === readings[0]);
      const seen = new Map<string, number>();
      for (let phase = 0; phase < 60; phase++) {
        const limiter = make(numbers.max, W, readings[0] === 'fixed-window-aligned' ? 0 : ((phase + 0.5) * W) / 60);
        const start = readings[0] === 'fixed-window-aligned' ? W - ((phase + 0.5) * W) / 60 : 0;
        const admitted = experiment?.bursts.map(
          ({ atUs, requests }) =>
            Array.from({ length: requests }, (_, i) => limiter.decide(start + atUs + i)).filter(Boolean).length,
        );
        const shown = String(admitted);
        seen.set(shown, (seen.get(shown) ?? 0) + 1);
      }
      const percent = Math.round((100 * (seen.get(String(foretold?.admitted)) ?? 0)) / 60);
      // Variants of the sliding counter differ by one; and blocking anew is another penalty.
      if (!/^(sliding counter|penalty that)/.test(name)) expect(percent, readings[0]).toBe(foretold?.percent);
    }
  });

  it('is proposed where several readings survive', () => {
    const many = inferenceOf(honestSlidingLog, { ...service, pressure: 20, requests: 30 }, 2);
    expect(many.possible.length).toBeGreaterThan(1);
    expect(many.experiment?.sentence).toMatch(
      /^leave the limit alone for 60 s, then send cheap reads with one token: \d+ at once, /,
    );
  });
});

describe('what fits, in words', () => {
  it('has few digits that leave nothing out, and says on which side of a whole window others begin', () => {
    const window = 60_000_000;
    expect(fitsOf('rate', { max: { from: 20, to: 20 }, windowUs: { from: 54_375_562, to: 66_046_270 } }, window)).toBe(
      '20 requests; a window of 54.37 s to 66.05 s',
    );
    expect(
      fitsOf('daily', { max: { from: 1_234, to: 1_236 }, windowUs: { from: 54_400_000, to: 54_400_000 } }, 0),
    ).toBe('1234 to 1236 new messages; a window of 54.4 s');
    expect(fitsOf('rate', { capacity: { from: 2 }, perWindow: { to: 20.52 } }, window)).toBe(
      'a capacity of 2 or more; 20.52 or less regained per window',
    );
    expect(fitsOf('concurrency', { max: { from: 1, to: 2 } }, 0)).toBe('1 to 2 turns');
    const phase = (...phaseUs: [number, number][]) => fitsOf('rate', { phaseUs }, window);
    expect(phase([1_200_000, 1_900_000])).toBe(
      "windows that begin 1.2 s to 1.9 s after each whole 60 s of the service's clock",
    );
    expect(phase([0, 110], [59_999_890, window])).toBe(
      "windows that begin within a millisecond of each whole 60 s of the service's clock",
    );
    expect(phase([0, 1_500_000], [59_000_000, window])).toBe(
      "windows that begin between 1 s before and 1.5 s after each whole 60 s of the service's clock",
    );
    expect(phase([0, 110], [59_999_890, 0])).toBe(
      "windows that begin within a millisecond of each whole 60 s of the service's clock",
    );
    expect(phase([59_000_000, 1_000_000])).toBe(
      "windows that begin within 1 s of each whole 60 s of the service's clock",
    );
    expect(phase([0, window])).toBe('');
  });
});

describe('a search from what is near', () => {
  it('finds the least and the greatest that pass, and their absence', () => {
    for (const near of [1, 7, 20, 100]) {
      const within = { near, low: 1, high: 100, isWhole: true };
      for (const edge of [1, 2, 7, 8, 64, 99, 100]) {
        expect(leastThat((value) => value >= edge, within)).toBe(edge);
        expect(greatestThat((value) => value <= edge, within)).toBe(edge);
      }
      expect(leastThat(() => false, within)).toBeUndefined();
      expect(greatestThat(() => false, within)).toBeUndefined();
    }
    const times = { near: 1_000_000, low: 10_000, high: 100_000_000, isWhole: false };
    const found = leastThat((value) => value >= 1_234_567, times) ?? 0;
    expect(found).toBeGreaterThanOrEqual(1_234_567);
    expect(found).toBeLessThan(1_236_000);
  });

  it('is exact to a ten-thousandth of what is found, however far below what is near, and ends where that is nothing', () => {
    const many = { near: 100, low: 1, high: 1_000, isWhole: false };
    for (const threshold of [1.03, 7.7, 99, 640]) {
      const [from, to] = [
        leastThat((value) => value >= threshold, many),
        greatestThat((value) => value <= threshold, many),
      ];
      expect(from).toBeGreaterThanOrEqual(threshold);
      expect(from).toBeLessThan(threshold * 1.000_2);
      expect(to).toBeLessThanOrEqual(threshold);
      expect(to).toBeGreaterThan(threshold * 0.999_8);
    }
    const few = { near: 4, low: 0.04, high: 200, isWhole: false };
    expect(leastThat((value) => value >= 2.5, few)).toBeCloseTo(2.5, 2);
    expect(greatestThat((value) => value <= 2.5, few)).toBeCloseTo(2.5, 2);
    const grace = { near: 0, low: 0, high: 3_600_000_000, isWhole: false };
    expect(leastThat((value) => value >= 1_234, grace)).toBeCloseTo(1_234, -1);
  });

  it('ends where next to nothing is near, though values far from it have no such fine parts', () => {
    let asked = 0;
    const isShort = (value: number) => {
      if (++asked > 100) throw new Error('endless');
      return value <= 123_456_789;
    };
    const found = greatestThat(isShort, { near: 0.000_001, low: 0.000_000_01, high: 3_600_000_000, isWhole: false });
    expect(found).toBeGreaterThan(123_456_787);
    expect(found).toBeLessThanOrEqual(123_456_789);
  });
});
