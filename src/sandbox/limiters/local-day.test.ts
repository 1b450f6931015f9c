import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { dayOfTokenTimezone } from './index.ts';
import { decide } from './limiter.exam.ts';
import { LocalDays } from './local-day.ts';

const utc = (text: string) => (Date.parse(text) * 1_000) as Micros;
const plus = (at: Micros, us: number) => (at + us) as Micros;

/** A day of a zone: its first instant and the first of the next day, computed by hand from the tz database. */
const days = [
  { zone: 'UTC', date: '2026-11-21', from: '2026-11-21T00:00:00Z', to: '2026-11-22T00:00:00Z', hours: 24 },
  { zone: 'Europe/Zurich', date: '2026-10-25', from: '2026-10-24T22:00:00Z', to: '2026-10-25T23:00:00Z', hours: 25 },
  { zone: 'Europe/Zurich', date: '2026-03-29', from: '2026-03-28T23:00:00Z', to: '2026-03-29T22:00:00Z', hours: 23 },
  {
    zone: 'Australia/Lord_Howe',
    date: '2026-04-05',
    from: '2026-04-04T13:00:00Z',
    to: '2026-04-05T13:30:00Z',
    hours: 24.5,
  },
  // Clocks went forward at midnight: the day began at 01:00.
  {
    zone: 'America/Sao_Paulo',
    date: '2018-11-04',
    from: '2018-11-04T03:00:00Z',
    to: '2018-11-05T02:00:00Z',
    hours: 23,
  },
  // Clocks went back at midnight: the last hour came twice.
  {
    zone: 'America/Sao_Paulo',
    date: '2018-02-17',
    from: '2018-02-17T02:00:00Z',
    to: '2018-02-18T03:00:00Z',
    hours: 25,
  },
  // The thirtieth did not exist.
  { zone: 'Pacific/Apia', date: '2011-12-29', from: '2011-12-29T10:00:00Z', to: '2011-12-30T10:00:00Z', hours: 24 },
  // Clocks that change by two hours.
  { zone: 'Antarctica/Troll', date: '2026-03-29', from: '2026-03-29T00:00:00Z', to: '2026-03-29T22:00:00Z', hours: 22 },
  { zone: 'Antarctica/Troll', date: '2026-10-25', from: '2026-10-24T22:00:00Z', to: '2026-10-26T00:00:00Z', hours: 26 },
  { zone: 'Pacific/Apia', date: '2011-12-31', from: '2011-12-30T10:00:00Z', to: '2011-12-31T10:00:00Z', hours: 24 },
] as const;

describe('a local day', () => {
  it.each(days)('$zone $date has $hours hours', ({ zone, date, from, to, hours }) => {
    const local = new LocalDays();
    expect((utc(to) - utc(from)) / 3_600_000_000).toBe(hours);
    for (const at of [utc(from), plus(utc(from), 1), plus(utc(from), 3_600_000_000), plus(utc(to), -1)]) {
      expect(local.at(at, zone)).toMatchObject({ date, endsAt: utc(to) });
      expect(new LocalDays().at(at, zone)).toMatchObject({ date, endsAt: utc(to) });
    }
    expect(local.at(plus(utc(from), -1), zone).date).not.toBe(date);
    expect(local.at(utc(to), zone).date).not.toBe(date);
  });

  it('handles a date that occurs twice because clocks went back over midnight', () => {
    const at = (text: string) => new LocalDays().at(utc(text), 'America/St_Johns');
    expect(at('2010-11-07T02:29:59Z')).toMatchObject({ date: '2010-11-06', endsAt: utc('2010-11-07T02:30:00Z') });
    expect(at('2010-11-07T02:30:30Z')).toMatchObject({ date: '2010-11-07', endsAt: utc('2010-11-07T02:31:00Z') });
    expect(at('2010-11-07T02:31:00Z')).toMatchObject({ date: '2010-11-06', endsAt: utc('2010-11-07T03:30:00Z') });
  });

  it("agrees with the platform's own dates, to the microsecond before its end and at it", () => {
    const zones = [
      'Europe/Zurich',
      'America/New_York',
      'America/St_Johns',
      'Africa/Cairo',
      'Asia/Kathmandu',
      'Asia/Beirut',
      'Africa/Casablanca',
      'Pacific/Kiritimati',
      'Etc/GMT+12',
      'Antarctica/Troll',
      'America/Santiago',
    ];
    const nameOf = (at: number, zone: string) =>
      new Date(Math.floor(at / 1_000)).toLocaleDateString('sv-SE', { timeZone: zone });
    const local = new LocalDays();
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: utc('2012-01-01T00:00:00Z'), max: utc('2037-01-01T00:00:00Z') }),
        (zone, at) => {
          const { date, endsAt } = local.at(at as Micros, zone);
          expect(date).toBe(nameOf(at, zone));
          expect(nameOf(endsAt - 1, zone)).toBe(date);
          expect(nameOf(endsAt, zone)).not.toBe(date);
          expect(endsAt - at).toBeLessThanOrEqual(26 * 3_600_000_000);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the day of the token's time zone", () => {
  const ask = (text: string | Micros, timezone: string) => ({
    key: 'a',
    now: typeof text === 'string' ? utc(text) : text,
    timezone,
  });

  it.each(days)('$zone $date: the last unit at its beginning, none until its very end', ({ zone, from, to }) => {
    const limiter = dayOfTokenTimezone({ max: 1 });
    expect(decide(limiter, ask(from, zone)).admitted).toBe(true);
    expect(limiter.peek(ask(plus(utc(to), -1), zone))).toEqual({ admitted: false, retryAtUs: utc(to) });
    expect(limiter.peek(ask(to, zone))).toMatchObject({ admitted: true, remaining: 0 });
  });

  it('counts by key and date: callers in several zones share the day of one name, each until its own midnight', () => {
    const limiter = dayOfTokenTimezone({ max: 2 });
    // In Kiritimati it is the 22nd for an hour already.
    const now = '2026-11-21T11:00:00Z';
    expect(decide(limiter, ask(now, 'Europe/Zurich'))).toEqual({
      admitted: true,
      remaining: 1,
      resetAtUs: utc('2026-11-21T23:00:00Z'),
    });
    expect(decide(limiter, ask(now, 'America/Los_Angeles'))).toEqual({
      admitted: true,
      remaining: 0,
      resetAtUs: utc('2026-11-22T08:00:00Z'),
    });
    expect(decide(limiter, ask(now, 'Europe/Zurich'))).toEqual({
      admitted: false,
      retryAtUs: utc('2026-11-21T23:00:00Z'),
    });
    expect(decide(limiter, ask(now, 'Pacific/Kiritimati'))).toMatchObject({ admitted: true, remaining: 1 });
    expect(limiter.stateOf('a')).toEqual({ '2026-11-21': 2, '2026-11-22': 1 });
  });

  it('advises waiting for the next day that callers in zones ahead have not used up', () => {
    const limiter = dayOfTokenTimezone({ max: 1 });
    const now = '2026-11-21T11:00:00Z';
    decide(limiter, ask(now, 'Pacific/Kiritimati'));
    decide(limiter, ask(now, 'Europe/Zurich'));
    expect(limiter.stateOf('a')).toEqual({ '2026-11-21': 1, '2026-11-22': 1 });
    // The 22nd is used up before it begins in Zurich.
    expect(decide(limiter, ask(now, 'Europe/Zurich'))).toEqual({
      admitted: false,
      retryAtUs: utc('2026-11-22T23:00:00Z'),
    });
    expect(limiter.peek(ask('2026-11-22T22:59:59Z', 'Europe/Zurich')).admitted).toBe(false);
    expect(limiter.peek(ask('2026-11-22T23:00:00Z', 'Europe/Zurich')).admitted).toBe(true);
  });

  it('remembers days as long as they last anywhere, and zones however they are spelt only so many', () => {
    const limiter = dayOfTokenTimezone({ max: 5 });
    for (let day = 1; day <= 28; day++)
      decide(limiter, ask(utc(`2026-02-${String(day).padStart(2, '0')}T12:00:00Z`), 'UTC'));
    expect(limiter.stateOf('a')).toEqual({ '2026-02-27': 1, '2026-02-28': 1 });
    const spellings = Array.from({ length: 400 }, (_, number) =>
      [...'europe/zurich'].map((letter, bit) => ((number >> bit) & 1 ? letter.toUpperCase() : letter)).join(''),
    );
    const local = new LocalDays();
    for (const zone of spellings) expect(local.at(utc('2026-11-21T12:00:00Z'), zone).date).toBe('2026-11-21');
    expect(local.size).toBeLessThanOrEqual(128);
  });
});
