import { describe, expect, it } from 'vitest';
import { accepted, poll, us } from '../../testing/history/sample-records.ts';
import { exportText } from '../export-all.ts';
import { examCsvExporter, examExporter } from './exporter.exam.ts';
import { csvFormats, exporters } from './index.ts';
import { emptyRun, exchange, header, sampleRun } from './journals.exam.ts';
import { csvRecords } from './parse-csv.exam.ts';

const all = [...Object.values(exporters), ...Object.values(csvFormats)];
for (const exporter of all) examExporter(exporter);
for (const exporter of all.filter(({ file }) => /\.(csv|jtl)$/.test(file))) examCsvExporter(exporter);

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

  it('has of each stage its users, its refusals by limit, and its turns', () => {
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
