import { describe, expect, it } from 'vitest';
import { exchange, header, us } from '../testing/history/sample-records.ts';
import { measured } from '../testing/measured.ts';
import { refused } from './refused.exam.ts';
import { MetricSeries } from './series/metric-series.ts';
import { failuresIn } from './summary.ts';

describe('latency', () => {
  it('is reported as service time and as response time, per operation and outcome', () => {
    const { operations, total } = measured([
      header(),
      exchange({
        seq: 0,
        intendedAt: us(0),
        sentAt: us(400),
        receivedAt: us(1_000),
        bytes: { sent: 10, received: 20 },
      }),
      exchange({ seq: 1, intendedAt: us(0), sentAt: us(100), receivedAt: us(300), status: 500 }),
      exchange({ seq: 2, intendedAt: us(5), sentAt: us(10), receivedAt: us(30), status: 429, outcome: 'refused' }),
      exchange({
        seq: 3,
        intendedAt: us(0),
        sentAt: us(0),
        receivedAt: us(9_000),
        outcome: 'censored',
        failure: 'deadline',
        attempt: 2,
      }),
      exchange({ seq: 4, operation: 'issueToken', status: 201, receivedAt: us(70) }),
    ]).summary();
    const history = operations.readHistory;
    expect(history?.count).toBe(4);
    expect(history?.byOutcome).toEqual({ success: 1, error: 1, refused: 1, failed: 0, censored: 1 });
    expect(history?.latency.success).toMatchObject({
      service: { count: 1, maxUs: 600 },
      response: { count: 1, maxUs: 1_000 },
    });
    expect(history?.latency.answers).toMatchObject({
      service: { count: 3, minUs: 20, meanUs: 273, maxUs: 600 },
      response: { count: 3, minUs: 25, meanUs: 442, maxUs: 1_000 },
    });
    expect(history?.latency.censored?.service.maxUs).toBe(9_000);
    expect(history?.latency).not.toHaveProperty('failed');
    expect(history?.statuses).toEqual({ '200': 2, '429': 1, '500': 1 });
    expect(history?.bytes).toEqual({ sent: 310, received: 620 });
    expect(history?.retries).toBe(1);
    expect(Object.keys(operations)).toEqual(['issueToken', 'readHistory']);
    expect(total.count).toBe(5);
    expect(total.latency.success?.service).toMatchObject({ count: 2, minUs: 70, maxUs: 600 });
  });

  it('counts an answer that could not be used as an error', () => {
    const { operations, errors } = measured([
      header(),
      exchange({ seq: 0, bodyProblem: 'not-json' }),
      exchange({ seq: 1, status: 204 }),
    ]).summary();
    expect(operations.readHistory?.byOutcome).toMatchObject({ success: 0, error: 2 });
    expect(errors).toEqual([
      { operation: 'readHistory', kind: 'body', what: 'not-json', count: 1 },
      { operation: 'readHistory', kind: 'status', what: '204', count: 1 },
    ]);
  });

  it('counts no failure if the step expects the status and every expectation is met', () => {
    const records = [
      header(),
      exchange({ seq: 0, status: 401, expect: { checked: 2, unmet: [], namedStatus: true } }),
      exchange({ seq: 1, status: 401, expect: { checked: 2, unmet: ['error.code: …'], namedStatus: true } }),
      exchange({ seq: 2, status: 401, expect: { checked: 1, unmet: [] } }),
      exchange({ seq: 3 }),
    ];
    const { total, errors } = measured(records).summary();
    expect(total).toMatchObject({ byOutcome: { success: 1, error: 3 }, expectedErrors: 1 });
    expect(failuresIn(total)).toBe(2);
    expect(errors).toEqual([{ operation: 'readHistory', kind: 'status', what: '401', count: 2 }]);
    expect(measured(records.slice(4)).summary().total).not.toHaveProperty('expectedErrors');
    const series = new MetricSeries([{ metric: 'http_req_failed', tags: {} }]);
    for (const record of records) series.add(record);
    expect(series.reading(0)).toMatchObject({ type: 'rate', part: 2, whole: 4 });
  });

  it('takes statuses of success from the profile', () => {
    const profile = { success: { readHistory: [204] } };
    const { operations } = measured([
      header({ profile }),
      exchange({ seq: 0, status: 204 }),
      exchange({ seq: 1 }),
    ]).summary();
    expect(operations.readHistory?.byOutcome).toMatchObject({ success: 1, error: 1 });
  });

  it('excludes the warm-up by intended time', () => {
    const { total, run } = measured([
      header({ warmUpUs: us(100) }),
      exchange({ seq: 0, intendedAt: us(99), sentAt: us(150) }),
      exchange({ seq: 1, intendedAt: us(100), sentAt: us(100) }),
    ]).summary();
    expect(total.count).toBe(1);
    expect(run).toMatchObject({ exchanges: 2, warmUp: { exchanges: 1, newMessages: 0 } });
  });
});

describe('refusals', () => {
  it('are counted per operation and per limit', () => {
    const { refusals, operations, errors } = measured([
      header(),
      exchange({ seq: 0 }),
      refused(1, 'rate_limited'),
      refused(2, 'rate_limited'),
      refused(3, 'daily_quota_exceeded'),
      refused(4, 'slow_down'),
      { ...refused(5, undefined), retryAfter: '2' },
      { ...refused(6, 'concurrency_limited'), operation: 'sendMessage' },
      exchange({ seq: 7 }),
    ]).summary();
    expect(refusals).toEqual({
      total: 6,
      share: 0.75,
      byLimit: { rate: 2, concurrency: 1, daily: 1, unattributed: 2 },
      withRetryAfter: 1,
      unattributedCodes: [
        { code: '', count: 1 },
        { code: 'slow_down', count: 1 },
      ],
    });
    expect(operations.readHistory?.refusedBy).toEqual({ rate: 2, concurrency: 0, daily: 1, unattributed: 2 });
    expect(operations.sendMessage?.refusedBy).toEqual({ rate: 0, concurrency: 1, daily: 0, unattributed: 0 });
    expect(errors).toEqual([]);
  });

  it('are attributed by the profile’s error codes', () => {
    const profile = { errorCodes: { rate: ['slow_down'], concurrency: [], daily: [] } };
    const { refusals } = measured([header({ profile }), refused(0, 'slow_down'), refused(1, 'rate_limited')]).summary();
    expect(refusals.byLimit).toEqual({ rate: 1, concurrency: 0, daily: 0, unattributed: 1 });
  });

  it('keep at most 20 unknown codes', () => {
    const records = Array.from({ length: 50 }, (_, seq) =>
      refused(seq, `code-${String(seq).padStart(2, '0')}${'x'.repeat(100)}`),
    );
    const { unattributedCodes } = measured([header(), ...records]).summary().refusals;
    expect(unattributedCodes).toHaveLength(20);
    expect(unattributedCodes[19]?.code).toBe(`code-19${'x'.repeat(57)}`);
  });
});

it('an exchange without an answer has no status', () => {
  const { operations } = measured([
    header(),
    exchange({ seq: 0 }),
    // The builder's default is 200.
    ...(['failed', 'censored'] as const).map((outcome, k) => {
      const { status: _, ...unanswered } = exchange({ seq: 1 + k, outcome, failure: 'ECONNRESET' });
      return unanswered;
    }),
  ]).summary();
  expect(operations.readHistory).toMatchObject({ count: 3, statuses: { '200': 1 } });
  expect(Object.keys(operations.readHistory?.statuses ?? {})).toEqual(['200']);
});
