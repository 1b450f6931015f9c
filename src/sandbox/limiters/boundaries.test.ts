import { describe, expect, it } from 'vitest';
import { type Micros, microsFromSeconds } from '../../base/index.ts';
import {
  dayFromFirstUse,
  fixedWindow,
  fixedWindowFromFirst,
  fixedWindowWithBlock,
  gcra,
  type Limiter,
  leakyQueue,
  rollingDay,
  semaphore,
  slidingCounter,
  slidingLog,
  slidingLogOfAttempts,
  tokenBucket,
  tokenBucketPerTick,
  tokenBucketPerWindow,
  utcDay,
} from './index.ts';
import { decide } from './limiter.exam.ts';

/** Noon, which is also the start of a minute. */
const noon = Date.UTC(2026, 10, 21, 12) * 1_000;
const us = 0.000_001;
const at = (seconds: number) => (noon + Math.round(seconds * 1_000_000)) as Micros;
const secondsOf = (instant: number) => (instant - noon) / 1_000_000;

/** `2 left` (after this one), `1 left after 20 s` of delay, or `until 60 s` (refused, and when to retry). */
function told(limiter: Limiter, seconds: number, heldUntil = seconds): string {
  const decision = decide(limiter, { key: 'a', now: at(seconds), heldUntil: at(heldUntil) });
  if (!decision.admitted) return `until ${secondsOf(decision.retryAtUs)} s`;
  const delay = decision.delayUs === undefined ? '' : ` after ${decision.delayUs / 1_000_000} s`;
  return `${decision.remaining} left${delay}`;
}

it('a bucket holds no part of a token beyond its capacity', () => {
  const limiter = tokenBucket({ max: 3, windowUs: 10 as Micros });
  const ask = (now: number) => decide(limiter, { key: 'a', now: (noon + now) as Micros }).admitted;
  // The token taken at 0 µs is back after 3⅓ µs.
  expect([ask(0), ask(4), ask(4), ask(4), ask(4), ask(7), ask(8)]).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    true,
  ]);
});

it('a spacing that is no whole number of microseconds is remembered to its end', () => {
  const limiter = gcra({ max: 3, windowUs: 10 as Micros, burst: 1 });
  const ask = (key: string, now: number) => decide(limiter, { key, now: (noon + now) as Micros }).admitted;
  expect([ask('a', 0), ask('b', 3), ask('c', 3), ask('a', 3), ask('a', 4)]).toEqual([true, true, true, false, true]);
});

it.each([
  { name: 'per tick', make: tokenBucketPerTick, back: 1 },
  { name: 'per window', make: tokenBucketPerWindow, back: 3 },
])('a bucket refilled $name gets tokens at its phase, also in the first minute of 1970', ({ make, back }) => {
  const limiter = make({ ...three, phaseUs });
  const ask = (now: number) => decide(limiter, { key: 'a', now: now as Micros });
  expect([0, 0, 0].map((now) => ask(now).admitted)).toEqual([true, true, true]);
  expect(ask(0)).toEqual({ admitted: false, retryAtUs: phaseUs });
  expect(ask(phaseUs)).toMatchObject({ admitted: true, remaining: back - 1 });
});

type Row = readonly [seconds: number, expected: string];
const three = { max: 3, windowUs: microsFromSeconds(60) };
const phaseUs = microsFromSeconds(17);

/** Computed by hand for three per minute. Each row is one request, in seconds after noon. */
const tables: Readonly<Record<string, { readonly limiter: () => Limiter; readonly rows: readonly Row[] }>> = {
  'fixed window': {
    limiter: () => fixedWindow(three),
    rows: [
      [30, '2 left'],
      [30, '1 left'],
      [60 - us, '0 left'],
      [60 - us, 'until 60 s'],
      [60, '2 left'],
      [120 - us, '1 left'],
      [120 - us, '0 left'],
      [120, '2 left'],
    ],
  },
  'fixed window, 17 s after the minute': {
    limiter: () => fixedWindow({ ...three, phaseUs }),
    rows: [
      [17 - us, '2 left'],
      [17, '2 left'],
      [60, '1 left'],
      [77 - us, '0 left'],
      [77 - us, 'until 77 s'],
      [77, '2 left'],
    ],
  },
  'fixed window from the first request': {
    limiter: () => fixedWindowFromFirst(three),
    rows: [
      [10, '2 left'],
      [60, '1 left'],
      [70 - us, '0 left'],
      [70 - us, 'until 70 s'],
      [70, '2 left'],
      [130 - us, '1 left'],
      // No request at 130 s: the next window starts with the next request.
      [200, '2 left'],
      [260 - us, '1 left'],
      [260, '2 left'],
    ],
  },
  'fixed window with a block': {
    limiter: () => fixedWindowWithBlock(three),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [0, '0 left'],
      [5, 'until 65 s'],
      // The window has ended, but not the block; requests during it do not extend it.
      [60, 'until 65 s'],
      [65 - us, 'until 65 s'],
      [65, '2 left'],
      [65, '1 left'],
      [125 - us, '0 left'],
      [125 - us, `until ${125 - us + 60} s`],
    ],
  },
  'fixed window with a block shorter than its rest': {
    limiter: () => fixedWindowWithBlock({ ...three, blockUs: microsFromSeconds(5) }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [0, '0 left'],
      [2, 'until 60 s'],
      [60 - us, 'until 60 s'],
      [60, '2 left'],
    ],
  },
  'sliding log': {
    limiter: () => slidingLog(three),
    rows: [
      [0, '2 left'],
      [10, '1 left'],
      [20, '0 left'],
      [30, 'until 60 s'],
      [60 - us, 'until 60 s'],
      [60, '0 left'],
      [60, 'until 70 s'],
      [70 - us, 'until 70 s'],
      [70, '0 left'],
      [80, '0 left'],
      [80, 'until 120 s'],
    ],
  },
  'sliding log of attempts': {
    limiter: () => slidingLogOfAttempts(three),
    rows: [
      [0, '2 left'],
      [10, '1 left'],
      [20, '0 left'],
      // Attempts at 10, 20 and 30 s count now, including the refused one.
      [30, 'until 70 s'],
      [60, 'until 80 s'],
      [80 - us, 'until 90 s'],
      [90, '0 left'],
      [90, `until ${140 - us} s`],
    ],
  },
  'sliding counter, below': {
    limiter: () => slidingCounter({ ...three, variant: 'below' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      // At 60 s the estimate is 3 · 1 + 0, not below 3; a microsecond later it is.
      [59, `until ${60 + us} s`],
      [60, `until ${60 + us} s`],
      [60 + us, '0 left'],
      // 3 · (1 − 20/60) + 1 = 3.
      [80, `until ${80 + us} s`],
      [80 + us, '0 left'],
      [120, '0 left'],
    ],
  },
  'sliding counter, at most': {
    limiter: () => slidingCounter({ ...three, variant: 'at-most' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      [59, 'until 80 s'],
      // 3 · (1 − 20/60) + 0 + 1 = 3.
      [80 - us, 'until 80 s'],
      [80, '0 left'],
      [80, 'until 100 s'],
      [100, '0 left'],
      // 2 in the window before: 2 · (1 − 0) + 0 + 1 = 3.
      [120, '0 left'],
      [120, 'until 150 s'],
    ],
  },
  'sliding counter, floored': {
    limiter: () => slidingCounter({ ...three, variant: 'floored' }),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [59, '0 left'],
      [60, `until ${60 + us} s`],
      [60 + us, '0 left'],
    ],
  },
  'token bucket': {
    limiter: () => tokenBucket(three),
    rows: [
      [0, '2 left'],
      [0, '1 left'],
      [0, '0 left'],
      [0, 'until 20 s'],
      [20 - us, 'until 20 s'],
      [20, '0 left'],
      // A token and a half since then: the half is not lost.
      [50, '0 left'],
      [50, 'until 60 s'],
      [60 - us, 'until 60 s'],
      [60, '0 left'],
    ],
  },
  'token bucket of seven, whose tokens come every 8.571428571… s': {
    limiter: () => tokenBucket({ max: 7, windowUs: three.windowUs }),
    rows: [
      ...[6, 5, 4, 3, 2, 1, 0].map((left): Row => [0, `${left} left`]),
      [8.571_428, 'until 8.571429 s'],
      [8.571_429, '0 left'],
      [17.142_857, 'until 17.142858 s'],
      [25.714_285, '0 left'],
      [25.714_285, 'until 25.714286 s'],
      // Seven spacings are a minute, to the microsecond.
      [60 - us, '3 left'],
      [60, '3 left'],
    ],
  },
  'token bucket per tick': {
    limiter: () => tokenBucketPerTick(three),
    rows: [
      [19.5, '2 left'],
      [19.5, '1 left'],
      [19.5, '0 left'],
      [20 - us, 'until 20 s'],
      [20, '0 left'],
      [40 - us, 'until 40 s'],
      [40, '0 left'],
      [99, '1 left'],
    ],
  },
  'token bucket per window, with room for five': {
    limiter: () => tokenBucketPerWindow({ ...three, burst: 5 }),
    rows: [
      ...[4, 3, 2, 1, 0].map((left): Row => [0, `${left} left`]),
      [60 - us, 'until 60 s'],
      [60, '2 left'],
      [119, '1 left'],
      // One left and three more.
      [120, '3 left'],
      [600, '4 left'],
    ],
  },
  'GCRA without burst': {
    limiter: () => gcra({ ...three, burst: 1 }),
    rows: [
      [0, '0 left'],
      [0, 'until 20 s'],
      [20 - us, 'until 20 s'],
      [20, '0 left'],
      [50, '0 left'],
      [70 - us, 'until 70 s'],
      [70, '0 left'],
    ],
  },
  'GCRA with a burst of two': {
    limiter: () => gcra({ ...three, burst: 2 }),
    rows: [
      [0, '1 left'],
      [0, '0 left'],
      [0, 'until 20 s'],
      [20, '0 left'],
      [60, '1 left'],
    ],
  },
  'leaky queue': {
    limiter: () => leakyQueue(three),
    rows: [
      [0, '2 left'],
      [0, '1 left after 20 s'],
      [0, '0 left after 40 s'],
      [0, 'until 20 s'],
      [20 - us, 'until 20 s'],
      [20, '0 left after 40 s'],
      [70, '1 left after 10 s'],
      [100, '2 left'],
    ],
  },
};

describe('limiters at their boundaries', () => {
  for (const [name, { limiter, rows }] of Object.entries(tables)) {
    it(`${name}: as worked out by hand`, () => {
      const tried = limiter();
      expect(rows.map(([seconds]) => [seconds, told(tried, seconds)])).toEqual(rows);
    });
  }

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
