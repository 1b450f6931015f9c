import { describe, expect, it } from 'vitest';
import { us } from '../../testing/history/sample-records.ts';
import { exportText } from '../export-all.ts';
import { hostileRun } from './hostile-run.exam.ts';
import { exporters } from './index.ts';
import { censoredRun, exchange, header, sampleRun } from './journals.exam.ts';
import { csvRecords } from './parse-csv.exam.ts';

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
