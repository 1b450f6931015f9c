import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DateTime, instantOf } from './date-time.ts';

const NEW_YEAR = Date.UTC(2017, 0, 1);

describe('a date and time of RFC 3339', () => {
  it.each([
    ['2016-12-31T23:59:59Z', NEW_YEAR - 1_000],
    ['2016-12-31t23:59:59z', NEW_YEAR - 1_000],
    ['2016-12-31T23:59:60Z', NEW_YEAR],
    ['2016-12-31t15:59:60.5-08:00', NEW_YEAR + 500],
    ['2017-01-01T01:00:00.123456789+01:00', NEW_YEAR + 123],
    ['2017-01-01T00:00:00-00:00', NEW_YEAR],
    ['2016-02-29T00:00:00Z', Date.UTC(2016, 1, 29)],
  ])('%s is read', (text, instant) => {
    expect(DateTime.safeParse(text).success).toBe(true);
    expect(instantOf(text)).toBe(instant);
  });

  it.each([
    '2017-02-29T00:00:00Z',
    '2017-04-31T00:00:00Z',
    '2017-13-01T00:00:00Z',
    '2017-01-01T24:00:00Z',
    '2017-01-01T00:60:00Z',
    '2017-01-01T00:00:61Z',
    '2017-01-01T00:00:00',
    '2017-01-01 00:00:00Z',
    '2017-01-01T00:00Z',
    '2017-01-01T00:00:00.Z',
    '2017-01-01T00:00:00+24:00',
    '2017-01-01T00:00:00Z\n',
    '2017-01-01',
    '0',
    '',
  ])('%j is none', (text) => {
    expect(DateTime.safeParse(text).success).toBe(false);
    expect(instantOf(text)).toBeNaN();
  });

  it('accepts what zod accepts, and more', () => {
    const theirs = z.iso.datetime({ offset: true });
    const parts = [
      ['2016-02-29', '2017-02-29', '1900-02-29', '2000-02-29', '2017-06-31', '2017-6-30', '2017-00-01'],
      ['T', 't', ' '],
      ['00:00', '23:59:59', '23:59:60', '12:30:00.1', '24:00:00', '12:30:'],
      ['Z', 'z', '+01:00', '-23:59', '+0100', ''],
    ] as const;
    const [days, letters, times, zones] = parts;
    for (const day of days)
      for (const letter of letters)
        for (const time of times)
          for (const zone of zones) {
            const upper = `${day}${letter.toUpperCase()}${time.replace(':60', ':59')}${zone.toUpperCase()}`;
            const text = `${day}${letter}${time}${zone}`;
            expect([text, DateTime.safeParse(text).success]).toEqual([text, theirs.safeParse(upper).success]);
          }
  });

  it('has the JSON Schema format date-time', () => {
    expect(z.toJSONSchema(DateTime)).toMatchObject({ type: 'string', format: 'date-time' });
  });
});
