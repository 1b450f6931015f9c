import { describe, expect, it } from 'vitest';
import { greatestThat, leastThat } from './search.ts';

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
