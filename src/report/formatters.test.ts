import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCount, formatRate, formatShare, formatShortCount, formatShortDuration, plural } from './formatters.ts';

describe('formatters', () => {
  it.each([
    [formatCount(1_234_567), '1,234,567'],
    [formatRate(1 / 3), '20/min'],
    [formatRate(12.34), '12.3/s'],
    [formatRate(0), '0/s'],
    [formatRate(1), '1/s'],
    [formatRate(999.6), '1,000/s'],
    [formatRate(12_345.6), '12,346/s'],
    [formatShare(1, 8), '12.5 %'],
    [formatShare(0, 0), '–'],
    [formatShare(7_373, 7_376), '99.95 %'],
    [formatShare(99_999, 100_000), '> 99.99 %'],
    [formatShare(3, 3), '100 %'],
    [formatShare(1, 1_000_000), '0.0001 %'],
    [formatShare(1.84e-13, 1), '< 0.0001 %'],
    [formatShare(0, 5), '0 %'],
    [plural(1, 'turn'), '1 turn'],
    [plural(0, 'turn'), '0 turns'],
    [formatShortDuration(0), '0 ms'],
    [formatShortDuration(12), '12 µs'],
    [formatShortDuration(250), '0.25 ms'],
    [formatShortDuration(99_949_999), '99.9 s'],
    [formatShortDuration(99_950_000), '1m 40s'],
    [formatShortDuration(725_000_000), '12m 5s'],
    [formatShortDuration(120_000_000), '2m'],
    [formatShortDuration(3_599_000_000), '59m 59s'],
    [formatShortDuration(3_600_000_000), '1h'],
    [formatShortDuration(5_400_000_000), '1h 30m'],
    [formatShortDuration(7_380_000_000), '2h 3m'],
    [formatShortCount(9_999), '9999'],
    [formatShortCount(10_000), '10k'],
    [formatShortCount(12_999), '12k'],
    [formatShortCount(1_250_000), '1.2M'],
  ])('%s is %s', (formatted, expected) => {
    expect(formatted).toBe(expected);
  });

  it('keeps narrow columns narrow', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 359_999_000_000 }), (us) => formatShortDuration(us).length <= 7));
    fc.assert(fc.property(fc.nat(999_999_999), (count) => formatShortCount(count).length <= 4));
  });
});
