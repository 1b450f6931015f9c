import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import { minuteASecond as clock } from '../minute-a-second.exam.ts';
import { refused } from '../refused.exam.ts';
import { MetricSeries } from '../series/metric-series.ts';

describe('use of the rate limit', () => {
  it('is counted per minute of the service’s clock', () => {
    const { serviceMinutes, run } = measured([
      header(),
      clock,
      exchange({ seq: 0, sentAt: us(0) }),
      exchange({ seq: 1, sentAt: us(999_999) }),
      exchange({ seq: 2, sentAt: us(999_999), status: 401 }),
      exchange({ seq: 3, sentAt: us(999_999), operation: 'issueToken', status: 201 }),
      refused(4, 'rate_limited', 999_999),
      refused(5, 'concurrency_limited', 999_999),
      exchange({ seq: 6, sentAt: us(2_000_000), outcome: 'failed', failure: 'ECONNRESET' }),
      exchange({ seq: 7, sentAt: us(3_000_000), status: 500 }),
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T12:00:00.000Z', admitted: 2, perhapsAdmitted: 0, refused: 1 },
      { minute: '2026-11-21T12:03:00.000Z', admitted: 0, perhapsAdmitted: 1, refused: 0 },
    ]);
    expect(run.serviceClock).toBe('recorded');
  });

  it('leaves open whether a request with 5xx was admitted, which a gateway may have answered', () => {
    const records = [
      header(),
      clock,
      ...[200, 404, 500, 503, 599].map((status, seq) => exchange({ seq, sentAt: us(seq), status })),
    ];
    expect(measured(records).summary().fullestWindow).toMatchObject({ admitted: 2, perhapsAdmitted: 3, mostAsked: 5 });
    const series = new MetricSeries([{ metric: 'admitted_per_minute', tags: {} }]);
    for (const record of records) series.add(record);
    expect(series.reading(0)).toEqual({ type: 'gauge', value: 2 });
  });

  it('of windows in which as many were surely admitted, names the one in which most perhaps were', () => {
    const at = (minute: number, status: number, seq: number) =>
      exchange({ seq, sentAt: us(minute * 1_000_000), status });
    const fullest = (...records: JournalRecord[]) => measured([header(), clock, ...records]).summary().fullestWindow;
    expect(fullest(at(0, 503, 0), at(2, 503, 1), at(2, 503, 2))).toMatchObject({ admitted: 0, perhapsAdmitted: 2 });
    expect(fullest(at(0, 200, 0), at(2, 503, 1), at(2, 503, 2))).toMatchObject({ admitted: 1, perhapsAdmitted: 0 });
  });

  it('is counted on the service’s clock from the first request on, although only answers tell the time', () => {
    const told: JournalRecord = { ...clock, at: us(2_000), rate: 1 };
    const { serviceMinutes, fullestWindow } = measured([
      header({ startedAt: '2031-05-05T05:05:05.000Z' }),
      exchange({ seq: 0, sentAt: us(0) }),
      exchange({ seq: 1, sentAt: us(1_000) }),
      told,
      exchange({ seq: 2, sentAt: us(3_000) }),
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T11:59:00.000Z', admitted: 2, perhapsAdmitted: 0, refused: 0 },
      { minute: '2026-11-21T12:00:00.000Z', admitted: 1, perhapsAdmitted: 0, refused: 0 },
    ]);
    expect(fullestWindow).toMatchObject({ start: '2026-11-21T11:59:00.000Z', admitted: 2 });
  });

  it('is counted on the clock that holds for the request, also if a slower answer told it only afterwards', () => {
    const told: JournalRecord = { ...clock, at: us(1_000), serviceUs: us(1_795_262_460_000_000), rate: 1 };
    const { serviceMinutes, fullestWindow } = measured([
      header(),
      { ...clock, rate: 1 },
      exchange({ seq: 1, sentAt: us(2_000), receivedAt: us(3_000) }),
      told,
      exchange({ seq: 0, sentAt: us(0), receivedAt: us(4_000) }),
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T12:00:00.000Z', admitted: 1, perhapsAdmitted: 0, refused: 0 },
      { minute: '2026-11-21T12:01:00.000Z', admitted: 1, perhapsAdmitted: 0, refused: 0 },
    ]);
    expect(fullestWindow).toMatchObject({ start: '2026-11-21T12:00:00.000Z', admitted: 1 });
  });

  it('is counted on the clock as far as it is known, of so many requests that not all can wait for it', () => {
    const told: JournalRecord = { ...clock, at: us(5_000), rate: 1 };
    const { serviceMinutes } = measured([
      header({ startedAt: '2026-11-21T10:00:00.000Z' }),
      ...Array.from({ length: 4_001 }, (_, seq) => exchange({ seq, sentAt: us(seq) })),
      told,
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T10:00:00.000Z', admitted: 2_001, perhapsAdmitted: 0, refused: 0 },
      { minute: '2026-11-21T11:59:00.000Z', admitted: 2_000, perhapsAdmitted: 0, refused: 0 },
    ]);
  });

  it('is counted like the limit: by its window and its scope', () => {
    const records = (scope: string, windowUs: number) => [
      header({
        limits: {
          rate: { max: 20, windowUs: us(windowUs), reading: 'unknown' },
          concurrency: { max: 2 },
          daily: { max: 50 },
        },
        profile: { limits: { rate: { scope }, concurrency: { scope: 'application' } } },
      }),
      clock,
      ...[0, 100_000, 200_000].map((sentAt, seq) => exchange({ seq, sentAt: us(sentAt), application: 'shop' })),
      ...[0, 400_000].map((sentAt, seq) => exchange({ seq: seq + 3, sentAt: us(sentAt), application: 'office' })),
      refused(5, 'rate_limited', 250_000),
      refused(6, 'concurrency_limited', 260_000),
      // Nobody knows whether it was asked.
      exchange({ seq: 7, sentAt: us(150_000), application: 'shop', outcome: 'failed', failure: 'ECONNRESET' }),
    ];
    const fullest = (scope: string, windowUs: number) => measured(records(scope, windowUs)).summary().fullestWindow;
    const start = '2026-11-21T12:00:00.000Z';
    // Service seconds 0, 6 and 12 (and a refusal of a1 at 15) of one application, 0 and 24 of the other.
    expect(fullest('application', 60_000_000)).toEqual({
      of: 'shop',
      among: 3,
      start,
      windowUs: 60_000_000,
      admitted: 3,
      perhapsAdmitted: 0,
      mostAsked: 3,
    });
    expect(fullest('application', 10_000_000)).toMatchObject({
      of: 'shop',
      start,
      admitted: 2,
      perhapsAdmitted: 0,
      mostAsked: 2,
    });
    expect(fullest('address', 60_000_000)).toMatchObject({
      of: '',
      among: 1,
      admitted: 5,
      perhapsAdmitted: 0,
      mostAsked: 7,
    });
    // Both applications have a user u1, and they are two.
    expect(fullest('user', 60_000_000)).toMatchObject({
      of: 'shop/u1',
      among: 3,
      admitted: 3,
      perhapsAdmitted: 0,
      mostAsked: 3,
    });
    expect(measured([header(), clock]).summary().fullestWindow).toBeUndefined();
  });

  it('a minute in which as many were admitted as refused is told', () => {
    const { serviceMinutes } = measured([header(), exchange({ seq: 0 }), refused(1, 'rate_limited')]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T12:00:00.000Z', admitted: 1, perhapsAdmitted: 0, refused: 1 },
    ]);
  });
});

describe('a bucket of the rate limit', () => {
  const lost = { outcome: 'failed', failure: 'ECONNRESET' } as const;

  it('is none of those in use if nothing was answered there but 401', () => {
    const { fullestWindow } = measured([
      header(),
      exchange({ seq: 0, application: 'shop' }),
      exchange({ seq: 1, application: 'office', ...lost }),
      exchange({ seq: 2, application: 'depot', status: 401 }),
    ]).summary();
    expect(fullestWindow).toMatchObject({ of: 'shop', among: 1, admitted: 1, mostAsked: 1 });
  });

  it('is not told of a run in which nothing was answered', () => {
    const records = [header(), exchange({ seq: 0, ...lost }), exchange({ seq: 1, status: 401 })];
    expect(measured(records).summary()).not.toHaveProperty('fullestWindow');
    const series = new MetricSeries([{ metric: 'admitted_per_minute', tags: {} }]);
    for (const record of records) series.add(record);
    expect(series.reading(0)).toEqual({ type: 'gauge' });
  });
});
