import { describe, expect, it } from 'vitest';
import { parseHttpDate } from './http-date.ts';

const SAMPLE = Date.UTC(1994, 10, 6, 8, 49, 37);

describe('a date of HTTP', () => {
  it.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 06 Nov 1994 09:49:37 +0100',
  ])('%j is read, wherever this machine stands', (text) => {
    expect(parseHttpDate(text)).toBe(SAMPLE);
  });

  it.each([
    '0',
    '-5',
    '1, 7',
    '1994-11-06T08:49:37Z',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, soon GMT',
    'Sun, 6 GMT',
    'Sun, in 6 h GMT',
    '',
  ])('%j is none', (text) => {
    expect(parseHttpDate(text)).toBeNaN();
  });
});
