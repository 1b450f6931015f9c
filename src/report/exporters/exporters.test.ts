import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { accepted, poll } from '../../testing/history/sample-records.ts';
import { exportText } from '../export-all.ts';
import { examCsvExporter, examExporter } from './exporter.exam.ts';
import { csvFormats, exporters } from './index.ts';
import { censoredRun, emptyRun, exchange, header, hostileRun, sampleRun } from './journals.exam.ts';
import { csvRecords } from './parse-csv.exam.ts';

const all = [...Object.values(exporters), ...Object.values(csvFormats)];
for (const exporter of all) examExporter(exporter);
for (const exporter of all.filter(({ file }) => /\.(csv|jtl)$/.test(file))) examCsvExporter(exporter);

describe('requests.csv', () => {
  const requests = (run: typeof sampleRun) => csvRecords(exportText(exporters.requests, run));

  it('leaves unobserved values empty, never 0', () => {
    const [first] = requests(censoredRun);
    expect(first).toMatchObject({
      outcome: 'censored',
      failure: 'deadline',
      status: '',
      headers_us: '',
      error_code: '',
      error_retryable: '',
      retry_after: '',
      turn_id: '',
      worker: '',
      wait_in_flight_us: '',
      expect_checked: '',
      service_us: '10000000',
      response_us: '10000100',
    });
  });

  it('has both latencies, cap waits and the limit that a 429 names', () => {
    const rows = requests(sampleRun);
    expect(rows).toHaveLength(9);
    expect(rows[2]).toMatchObject({
      operation: 'sendMessage',
      status: '202',
      service_us: '5400',
      response_us: '7190',
      wait_open_turns_us: '1500',
      wait_requests_per_minute_us: '250',
      wait_in_flight_us: '',
      turn_status: 'queued',
      warm_up: 'false',
    });
    expect(rows[0]).toMatchObject({ operation: 'issueToken', token: '', warm_up: 'true' });
    expect(rows[5]).toMatchObject({
      limit: 'rate',
      error_code: 'rate_limited',
      error_retryable: 'true',
      retry_after: '2',
      headers: '{"ratelimit":"\\"minute\\";r=0;t=2"}',
    });
  });

  it('has each wait in a column of its own, and the warm-up up to its end', () => {
    const us = (value: number) => value as Micros;
    const capWaitUs = {
      pace: us(1),
      openTurns: us(2),
      requestsPerMinute: us(3),
      token: us(4),
      inFlight: us(5),
      connection: us(6),
    };
    const rows = requests([
      header({ warmUpUs: us(1_000) }),
      exchange(0, { intendedAt: us(999), capWaitUs }),
      exchange(1, { intendedAt: us(1_000) }),
    ]);
    expect(rows[0]).toMatchObject({
      wait_pace_us: '1',
      wait_open_turns_us: '2',
      wait_requests_per_minute_us: '3',
      wait_token_us: '4',
      wait_in_flight_us: '5',
      wait_connection_us: '6',
    });
    expect(rows.map((row) => row.warm_up)).toEqual(['true', 'false']);
  });

  it('makes formulas, line breaks and terminal controls harmless, and keeps other scripts', () => {
    const rows = requests(hostileRun);
    expect(rows.slice(0, 4).map((row) => row.journey)).toEqual(["'=1+1", "'+cmd", "'-2+3", "'@SUM(A1)"]);
    expect(rows[4]?.journey).toBe('Ask, "quoted"\\nand broken; œuvre 問い 👩‍🚀');
    expect(rows[5]?.error_code).toBe('\\u{1b}[31mred\\u{1b}[0m\\u{7}\\r\\u{9b}2J\\u{202e}evil');
    expect(rows[5]?.retry_after).toBe("'=2");
  });

  it('makes formulas harmless where a spreadsheet splits at semicolons, as in many countries', () => {
    const codes = ['x;=1+1;y', 'x;"=1;', ';@SUM(A1)', 'a;\uff1d1', '=1;-1', '"minute";r=0;t=2', 'a; b;c-d'];
    const text = exportText(exporters.requests, [
      header(),
      ...codes.map((code, seq) => exchange(seq, { error: { code, retryable: false, requestId: 'r' } })),
    ]);
    expect(csvRecords(text).map((row) => row.error_code)).toEqual([
      "x;'=1+1;y",
      'x;\'"=1;',
      ";'@SUM(A1)",
      "a;'\uff1d1",
      "'=1;'-1",
      '"minute";r=0;t=2',
      'a; b;c-d',
    ]);
    const split = text.split(/[;\n]/).map((part) => part.replace(/^"+/, ''));
    expect(split.filter((part) => /^[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(part))).toEqual([]);
  });

  it('bounds what a service can write into a field', () => {
    const long = exchange(0, { error: { code: 'x'.repeat(100_000), retryable: false, requestId: 'r' } });
    const [row] = csvRecords(exportText(exporters.requests, [header(), long]));
    expect(row?.error_code).toBe(`${'x'.repeat(499)}…`);
  });

  it('has header fields as JSON, whatever a service writes into them', () => {
    const hidden = '"minute";r=0;\u00ad\u0085\u202e\u200b';
    const long = { 'x-a': 'a', 'x-ratelimit-long': 'b'.repeat(600), 'x-c': 'c' };
    const rows = requests([
      header(),
      exchange(0, { headers: { ratelimit: hidden } }),
      exchange(1, { headers: long }),
      exchange(2, { headers: { 'x-only': 'd'.repeat(600) } }),
      exchange(3),
    ]);
    expect(rows[0]?.headers).toMatch(/^[\x20-\x7e]*$/);
    expect(rows.slice(0, 3).map((row) => JSON.parse(row.headers ?? ''))).toEqual([
      { ratelimit: hidden },
      { 'x-a': 'a', 'x-c': 'c' },
      {},
    ]);
    expect(rows[3]?.headers).toBe('');
  });

  it('loses no row at batch boundaries of the writer', () => {
    const many = Array.from({ length: 1_000 }, (_, seq) => exchange(seq));
    const rows = csvRecords(exportText(exporters.requests, [header(), ...many]));
    expect(rows.map((row) => Number(row.seq))).toEqual(many.map(({ seq }) => seq));
  });
});

describe('other exports', () => {
  it('has one row of intervals per second and one row per turn', () => {
    const intervals = csvRecords(exportText(exporters.intervals, sampleRun));
    expect(intervals.map((row) => Number(row.second))).toEqual([...intervals.keys()]);
    expect(intervals[2]).toMatchObject({ sent: '2', refused: '1', refused_rate: '1', success: '1' });
    expect(intervals[7]).toMatchObject({ sent: '0', service_mean_us: '', event_loop_p99_us: '' });
    const [turn, ...more] = csvRecords(exportText(exporters.turns, sampleRun));
    expect(more).toEqual([]);
    expect(turn).toMatchObject({
      state: 'completed',
      finished_by: 'poll',
      completion_us: '2004000',
      server_latency_ms: '812',
      polls: '2',
    });
  });

  it("writes JMeter's columns, each in its place", () => {
    const text = exportText(csvFormats.jtl, sampleRun);
    expect(text.split('\n')[0]).toBe(
      'timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect',
    );
    const rows = csvRecords(text);
    // Nine exchanges, one of them in the warm-up.
    expect(rows).toHaveLength(8);
    expect(rows[1]).toMatchObject({
      timeStamp: String(Date.parse('2026-11-21T12:00:00.000Z') + 10),
      elapsed: '5',
      label: 'sendMessage',
      responseCode: '202',
      threadName: 'ask 1-1',
      success: 'true',
      failureMessage: '',
      URL: '/api/partners/v1/conversations/{conversation_id}/messages',
      Latency: '5',
    });
    expect(rows[4]).toMatchObject({
      responseCode: '429',
      responseMessage: 'rate_limited',
      success: 'false',
      failureMessage: 'rate_limited',
    });
    expect(rows[5]).toMatchObject({ success: 'false', failureMessage: 'messages.0.role is "user", not "assistant"' });
    expect(rows[6]).toMatchObject({
      responseCode: 'Non HTTP response code: ECONNRESET',
      success: 'false',
      Latency: '0',
    });
    const numbers = [
      'timeStamp',
      'elapsed',
      'bytes',
      'sentBytes',
      'grpThreads',
      'allThreads',
      'Latency',
      'IdleTime',
      'Connect',
    ];
    for (const row of rows) for (const name of numbers) expect(row[name]).toMatch(/^\d+$/);
  });

  it("tells JMeter's readers what is a success, and the first reason why something is none", () => {
    const us = (value: number) => value as Micros;
    const error = { code: 'internal', retryable: true, requestId: 'r' };
    const expected = { checked: 1, unmet: [] };
    const rows = csvRecords(
      exportText(csvFormats.jtl, [
        header({ warmUpUs: us(1_000) }),
        exchange(0, { intendedAt: us(999), status: 200 }),
        ...[
          { status: 200 },
          { status: 404, expect: { ...expected, namedStatus: true }, error: { ...error, code: 'not_found' } },
          { status: 404, expect: expected, error: { ...error, code: 'not_found' } },
          { status: 200, bodyProblem: 'no JSON' },
          { status: 500, bodyProblem: 'no JSON', expect: { checked: 1, unmet: ['status: 500'] }, error },
          { status: 500, expect: { checked: 1, unmet: ['status: 500'] }, error },
        ].map((members, index) => exchange(index + 1, { intendedAt: us(1_000), ...members })),
      ]),
    );
    expect(rows.map(({ success, failureMessage }) => [success, failureMessage])).toEqual([
      ['true', ''],
      ['true', ''],
      ['false', 'not_found'],
      ['false', 'no JSON'],
      ['false', 'no JSON'],
      ['false', 'status: 500'],
    ]);
  });

  it('has of each stage its users, its refusals by limit, and its turns', () => {
    const us = (value: number) => value as Micros;
    const stages = [
      { name: 'a', fromUs: us(0), toUs: us(1_000_000), users: { from: 1, to: 4 } },
      { name: 'b', fromUs: us(1_000_000), toUs: us(2_000_000), users: { from: 4, to: 4 } },
    ];
    const refused = (seq: number, code: string) =>
      exchange(seq, {
        intendedAt: us(0),
        outcome: 'refused',
        status: 429,
        error: { code, retryable: true, requestId: 'r' },
      });
    const turn = (seq: number) =>
      accepted(seq, `t${seq}`, 1_000, 2_000, { intendedAt: us(1_000), application: 'a1', user: 'u1' });
    const codes = ['rate_limited', 'concurrency_limited', 'concurrency_limited', 'daily_quota_exceeded', 'other'];
    const [first] = csvRecords(
      exportText(exporters.stages, [
        header({ stages }),
        ...[...codes, 'daily_quota_exceeded', 'daily_quota_exceeded'].map((code, seq) => refused(seq, code)),
        turn(10),
        turn(11),
        turn(12),
        poll(13, 't10', 'completed', 9_000, 10_000),
        poll(14, 't11', 'failed', 9_000, 10_000),
      ]),
    );
    expect(first).toMatchObject({
      users_from: '1',
      users_to: '4',
      refused_rate: '1',
      refused_concurrency: '2',
      refused_daily: '3',
      refused_unattributed: '1',
      turns: '3',
      turns_completed: '1',
      turns_failed: '1',
    });
  });

  it('has bounds next to each known percentile, and empty fields next to others', () => {
    const many = Array.from({ length: 58 }, (_, seq) =>
      exchange(seq, { receivedAt: (seq * 1_000_000 + (seq + 1) * 1_000) as never, sentAt: (seq * 1_000_000) as never }),
    );
    const rows = csvRecords(exportText(exporters.latencies, [header(), ...many]));
    expect(rows[0]).toMatchObject({
      metric: 'http_req_duration',
      tags: 'operation:readTurn outcome:error',
      count: '58',
      min_us: '1000',
      mean_us: '29500',
      max_us: '58000',
      p50_us: '29007',
      p50_low_us: '22992',
      p50_high_us: '36031',
      p90_us: '53023',
      p90_high_us: '57023',
      p95_us: '56031',
      p95_low_us: '52000',
      // With one more sample there would be a bound.
      p95_high_us: '',
      p99_us: '',
      p99_low_us: '',
      bounds_by: 'order-statistics',
    });
  });

  it("gives a polled completion as an interval, next to the service's own value", () => {
    const [turn] = csvRecords(exportText(exporters.turns, sampleRun));
    expect(turn).toMatchObject({
      completion_least_us: '1000050',
      completion_most_us: '2009200',
      server_latency_ms: '812',
    });
  });

  it('writes no histogram line for a run without samples', () => {
    expect(exportText(exporters.latency, emptyRun).split('\n')).toEqual([
      '#[Histogram log format version 1.3]',
      '#[StartTime: 1795262400.000 (seconds since epoch), 2026-11-21T12:00:00.000Z]',
      '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
      '',
    ]);
  });
});
