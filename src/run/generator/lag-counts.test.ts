import { expect, it } from 'vitest';
import { LagCounts } from './lag-counts.ts';

const of = (...values: number[]) => {
  const lags = new LagCounts();
  for (const value of values) lags.add(value);
  return lags;
};

it('is exact below 64 µs; above, it is at least the value and at most 1/64 higher', () => {
  for (const value of [
    0,
    1,
    63,
    64,
    65,
    127,
    128,
    1_000,
    65_535,
    65_536,
    1_234_567,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 33 + 1,
  ]) {
    const read = of(value).at(0.99);
    expect(read).toBeGreaterThanOrEqual(value);
    expect(read).toBeLessThanOrEqual(value < 64 ? value : value * (1 + 1 / 64));
  }
});

it('takes the nearest rank', () => {
  const lags = of(...Array.from({ length: 100 }, (_, index) => index % 50));
  expect([lags.at(0.01), lags.at(0.5), lags.at(0.99), lags.at(1)]).toEqual([0, 24, 49, 49]);
  expect(lags.count).toBe(100);
});

it('counts a lag below 0 as 0, and can be cleared', () => {
  const lags = of(-5);
  expect([lags.count, lags.at(0.99)]).toEqual([1, 0]);
  lags.clear();
  lags.add(7);
  expect([lags.count, lags.at(0.99)]).toEqual([1, 7]);
  expect(new LagCounts().at(0.99)).toBe(0);
});
