import { describe, expect, it } from 'vitest';
import { microsFromSeconds } from '../../base/index.ts';
import { told, us } from './boundaries.exam.ts';
import {
  dayFromFirstUse,
  fixedWindow,
  fixedWindowFromFirst,
  fixedWindowWithBlock,
  gcra,
  type Limiter,
  rollingDay,
  semaphore,
  slidingCounter,
  slidingLog,
  slidingLogOfAttempts,
  tokenBucket,
  utcDay,
} from './index.ts';

describe('limiters at their boundaries', () => {
  it('semaphore: frees each unit at its own instant and names the earliest', () => {
    const limiter = semaphore({ max: 2 });
    const rows = [
      [0, 9, '1 left'],
      [1, 4, '0 left'],
      [2, 5, 'until 4 s'],
      [4 - us, 5, 'until 4 s'],
      [4, 6, '0 left'],
      [5, 7, 'until 6 s'],
      [9, 9, '1 left'],
    ] as const;
    expect(rows.map(([seconds, until]) => told(limiter, seconds, until))).toEqual(
      rows.map(([, , expected]) => expected),
    );
  });

  it('lease: ends with its holder or after its time, whichever comes first', () => {
    const limiter = semaphore({ max: 1, ttlUs: microsFromSeconds(3) });
    expect([told(limiter, 0, 7), told(limiter, 3 - us, 9), told(limiter, 3, 4), told(limiter, 3, 9)]).toEqual([
      '0 left',
      'until 3 s',
      '0 left',
      'until 4 s',
    ]);
  });

  const hour = 3_600;
  it('days: 25 units now and 25 after twelve hours; which algorithms admit 26 after twenty-four', () => {
    const admitted = (limiter: Limiter, seconds: number, count: number) =>
      Array.from({ length: count }, () => told(limiter, seconds)).filter((text) => text.endsWith('left')).length;
    const probe = (limiter: Limiter) => [
      admitted(limiter, 0, 25),
      admitted(limiter, 12 * hour, 25),
      admitted(limiter, 24 * hour, 26),
    ];
    expect(probe(rollingDay({ max: 50 }))).toEqual([25, 25, 25]);
    expect(probe(dayFromFirstUse({ max: 50 }))).toEqual([25, 25, 26]);
    expect(probe(utcDay({ max: 50 }))).toEqual([25, 25, 25]);
    expect(admitted(utcDay({ max: 50 }), 12 * hour, 51)).toBe(50);
  });

  it('days: one unit, a microsecond before its return and at it', () => {
    expect([told(utcDay({ max: 1 }), 0), told(rollingDay({ max: 1 }), 0)]).toEqual(['0 left', '0 left']);
    const [utc, first, rolling] = [utcDay({ max: 1 }), dayFromFirstUse({ max: 1 }), rollingDay({ max: 1 })];
    for (const limiter of [utc, first, rolling]) told(limiter, 1);
    expect([told(utc, 12 * hour - us), told(utc, 12 * hour)]).toEqual([`until ${12 * hour} s`, '0 left']);
    for (const limiter of [first, rolling]) {
      expect([told(limiter, 24 * hour + 1 - us), told(limiter, 24 * hour + 1)]).toEqual([
        `until ${24 * hour + 1} s`,
        '0 left',
      ]);
    }
  });
});

describe('the universal probe of twenty per minute tells the limiters apart', () => {
  const twenty = { max: 20, windowUs: microsFromSeconds(60) };
  const bursts = [
    [0, 5],
    [57, 20],
    [63.1, 11],
    [121, 10],
  ] as const;
  /** @param after seconds after the minute at which the probe begins */
  const probe = (limiter: Limiter, after = 0) =>
    bursts.map(
      ([seconds, count]) =>
        Array.from({ length: count }, () => told(limiter, after + seconds)).filter((text) => text.includes('left'))
          .length,
    );

  it.each([
    ['fixed window from the first request', fixedWindowFromFirst(twenty), [5, 15, 11, 9]],
    ['fixed window with a block', fixedWindowWithBlock(twenty), [5, 15, 0, 10]],
    ['sliding log', slidingLog(twenty), [5, 15, 5, 10]],
    ['sliding log of attempts', slidingLogOfAttempts(twenty), [5, 15, 0, 9]],
    ['token bucket', tokenBucket(twenty), [5, 20, 2, 10]],
    ['GCRA', gcra(twenty), [5, 20, 2, 10]],
    ['GCRA without burst', gcra({ ...twenty, burst: 1 }), [1, 1, 1, 1]],
    ['sliding counter, at most', slidingCounter({ ...twenty, variant: 'at-most' }), [5, 15, 1, 10]],
  ])('%s', (_name, limiter, expected) => expect(probe(limiter)).toEqual(expected));

  it.each([
    [0, [5, 15, 11, 10]],
    [30, [5, 20, 0, 10]],
    [58, [5, 20, 11, 9]],
    [59.5, [5, 20, 11, 10]],
  ])('fixed window, begun %s s after the minute', (after, expected) =>
    expect(probe(fixedWindow(twenty), after)).toEqual(expected),
  );
});
