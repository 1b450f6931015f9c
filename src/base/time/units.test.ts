import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDuration, microsFromMillis, microsFromSeconds, parseDuration, parseRate } from './units.ts';

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['0s', 0],
    ['250us', 0.25],
    ['250ms', 250],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['2min', 120_000],
    ['1h30m', 5_400_000],
    ['1h 30m 5s', 5_405_000],
    ['1d', 86_400_000],
    ['  20 s ', 20_000],
  ])('%j is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each([
    '',
    ' ',
    '5',
    '1.5',
    's',
    '5 seconds',
    '-1s',
    '+1s',
    '1e3s',
    '1,5s',
    '.5s',
    '5.s',
    '1m30',
    'soon',
    '1s!',
    '∞',
  ])('%j is none: nobody can tell what was meant', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('is the sum of its parts, in any order', () => {
    const units = { us: 0.001, ms: 1, s: 1_000, min: 60_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
    const part = fc.tuple(fc.nat(999), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([count, unit]) => `${count}${unit}`).join(' ');
        const sum = parts.reduce((total, [count, unit]) => total + count * units[unit], 0);
        expect(parseDuration(text)).toBeCloseTo(sum, 6);
      }),
    );
  });

  it.each([
    [0, '0 ms'],
    [1, '0.001 ms'],
    [256, '0.26 ms'],
    [1_000, '1.0 ms'],
    [994, '0.99 ms'],
    [996, '1.0 ms'],
    [9_949, '9.9 ms'],
    [9_951, '10 ms'],
    [10_000, '10 ms'],
    [812_000, '812 ms'],
    [999_499, '999 ms'],
    [999_500, '1.00 s'],
    [3_400_000, '3.40 s'],
    [9_994_999, '9.99 s'],
    [9_995_000, '10.0 s'],
    [99_949_000, '99.9 s'],
    [99_950_000, '1 min 40 s'],
    [125_000_000, '2 min 5 s'],
    [120_000_000, '2 min'],
    [3_599_400_000, '59 min 59 s'],
    [3_599_500_000, '1 h'],
    [3_600_000_000, '1 h'],
    [3_605_000_000, '1 h 5 s'],
    [5_400_000_000, '1 h 30 min'],
    [47_355_000_000, '13 h 9 min 15 s'],
    [86_400_000_000, '24 h'],
  ])('%d µs reads %j', (us, text) => {
    expect(formatDuration(us)).toBe(text);
  });

  it('parses back to the formatted value, to three digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 7 * 86_400_000_000 }), (us) => {
        const read = parseDuration(formatDuration(us));
        expect(Math.abs((read ?? 0) * 1_000 - us)).toBeLessThanOrEqual(Math.max(us * 0.0051, 50));
      }),
    );
  });
});

describe('a rate', () => {
  it.each([
    ['1/s', 1],
    ['0.5/s', 0.5],
    ['0.25/s', 0.25],
    ['20/min', 1 / 3],
    ['20 / m', 1 / 3],
    ['120/h', 1 / 30],
    ['50/day', 50 / 86_400],
    ['50/d', 50 / 86_400],
    ['3/second', 3],
  ])('%j is %d a second', (text, perSecond) => {
    expect(parseRate(text)).toBeCloseTo(perSecond, 12);
  });

  it.each([
    '',
    '20',
    '20/',
    '/s',
    '0/s',
    '0.0/min',
    '-1/s',
    '1/week',
    '1/constructor',
    '1e3/s',
    '1/s/s',
    '20 per minute',
  ])('%j is none', (text) => {
    expect(parseRate(text)).toBeUndefined();
  });
});

describe('microseconds', () => {
  it('are whole, rounded half up', () => {
    expect(microsFromMillis(0.0005)).toBe(1);
    expect(microsFromMillis(0.0004)).toBe(0);
    expect(microsFromMillis(1.2345)).toBe(1_235);
    expect(microsFromSeconds(0.1 + 0.2)).toBe(300_000);
  });
});
