import { expect, it } from 'vitest';
import { independentSamples } from '../../metrics/index.ts';
import { TimeBatches } from './time-batches.ts';

const SECOND_US = 1_000_000;

/** @param perSecond the values of each second */
function batchesOf(perSecond: readonly (readonly number[])[], about?: 'run'): TimeBatches {
  const batches = new TimeBatches(about);
  for (const [second, values] of perSecond.entries()) for (const us of values) batches.add(us, second * SECOND_US + us);
  return batches;
}

it('of the samples in the bucket of a percentile, each second counts the part that makes it up', () => {
  const batches = batchesOf([
    [10, 1_000, 1_000, 9_000],
    [10, 10, 1_000, 1_000, 1_000],
    [9_000, 9_000],
  ]);
  // Of 11 samples 5.5 are not above the median: the 3 below, and half of the 5 in its bucket.
  expect(batches.upTo(1_000, 0.5)).toEqual([
    { count: 4, notAbove: 2 },
    { count: 5, notAbove: 3.5 },
    { count: 2, notAbove: 0 },
  ]);
});

it('has at most 32 stretches of time, which become twice as long with the run', () => {
  const seconds = (count: number) => batchesOf(Array.from({ length: count }, () => [10])).upTo(10, 1);
  expect([seconds(32), seconds(33)].map((batches) => batches.map(({ count }) => count))).toEqual([
    Array(32).fill(1),
    [...Array(16).fill(2), 1],
  ]);
});

it('compares sparse samples in as many stretches of time as have ten of them on average', () => {
  const [fast, slow] = [Array(4).fill(10), Array(4).fill(5_000)];
  // 100 samples in 25 seconds: ten stretches of two and three seconds in turn.
  const seconds = Array.from({ length: 25 }, (_, second) => (second % 5 < 3 ? fast : slow));
  const stretches = Array.from({ length: 10 }, (_, index) =>
    index % 2 === 0 ? { count: 8, notAbove: 8 } : { count: 12, notAbove: 4 },
  );
  expect(batchesOf(seconds, 'run').worth(10, 0.6)).toBe(Math.floor(independentSamples(stretches, 'independent') ?? 0));
  expect(batchesOf(seconds.slice(1), 'run').worth(10, 0.6)).toBe(96);
  // The 95th percentile has five samples on its rarer side, whose distribution over time says nothing.
  expect(batchesOf(seconds, 'run').worth(5_000, 0.95)).toBe(100);
});
