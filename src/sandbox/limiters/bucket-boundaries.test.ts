import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { examTables, noon, phaseUs, type Row, type Tables, three, us } from './boundaries.exam.ts';
import { gcra, leakyQueue, tokenBucket, tokenBucketPerTick, tokenBucketPerWindow } from './index.ts';
import { decide } from './limiter.exam.ts';

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

/** Computed by hand for three per minute. */
const tables: Tables = {
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
  examTables(tables);
});
