import fc from 'fast-check';
import { decodeFromCompressedBase64, HistogramLogReader } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
import { type OperationId, operationIds } from '../../api/index.ts';
import {
  type Distribution,
  type Measurements,
  type OutcomeClass,
  percentileNames,
  type Summary,
} from '../../collect/index.ts';
import type { Exchange, JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import { exportText } from '../export-all.ts';
import { exporters } from './index.ts';
import { exchange, header } from './journals.exam.ts';
import { csvRecords } from './parse-csv.exam.ts';

const answer = fc.constantFrom<Partial<Exchange>>(
  { outcome: 'answered', status: 200 },
  { outcome: 'answered', status: 500 },
  { outcome: 'refused', status: 429 },
  { outcome: 'failed', failure: 'ECONNRESET' },
  { outcome: 'censored', failure: 'deadline' },
);

const anyExchange = fc.record({
  operation: fc.constantFrom<OperationId>('readTurn', 'readHistory', 'rateAnswer'),
  answer,
  intendedAt: fc.nat(20_000_000),
  lateUs: fc.nat(100_000),
  serviceUs: fc.oneof(fc.nat(3_000), fc.nat(90_000_000)),
});

const journals = fc
  .tuple(fc.array(anyExchange, { maxLength: 400 }), fc.nat(5_000_000))
  .map(([drawn, warmUpUs]): JournalRecord[] => [
    header({ warmUpUs: us(warmUpUs) }),
    ...drawn.map(({ operation, answer, intendedAt, lateUs, serviceUs }, seq) => {
      const sentAt = intendedAt + lateUs;
      const answered = answer.status !== undefined && { headersAt: us(sentAt + serviceUs) };
      return exchange(seq, {
        operation,
        ...answer,
        ...answered,
        intendedAt: us(intendedAt),
        sentAt: us(sentAt),
        receivedAt: us(sentAt + serviceUs),
      });
    }),
  ]);

/** The outcome class of a row, derived only from the CSV. */
function classOf(row: Record<string, string>): OutcomeClass {
  if (row.outcome !== 'answered') return row.outcome as OutcomeClass;
  return row.status === '200' ? 'success' : 'error';
}

const share = { p50: 0.5, p90: 0.9, p95: 0.95, p99: 0.99, p999: 0.999 } as const;

/** Nearest-rank percentile of sorted numbers. */
const nearestRank = (sorted: readonly number[], p: number): number =>
  sorted[Math.max(0, Math.ceil(p * sorted.length - 1e-9) - 1)] ?? Number.NaN;

/** Tolerance of a histogram with three significant digits: buckets are at most 0.1 % wide, and at least 1 µs. */
function expectWithinHdr(told: number, exact: number): void {
  expect(Math.abs(told - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.001));
}

function expectSameDistribution(told: Distribution | undefined, values: readonly number[]): void {
  if (values.length === 0) {
    expect(told).toBeUndefined();
    return;
  }
  const sorted = [...values].sort((a, b) => a - b);
  expect(told).toMatchObject({ count: sorted.length, minUs: sorted[0], maxUs: sorted.at(-1) });
  for (const name of percentileNames) {
    const percentile = told?.percentiles[name];
    const need = Math.ceil(1 / (1 - share[name]) - 1e-9);
    if (sorted.length < need) expect(percentile).toEqual({ tooFew: { have: sorted.length, need } });
    else
      expectWithinHdr(percentile && 'us' in percentile ? percentile.us : Number.NaN, nearestRank(sorted, share[name]));
  }
}

describe('exports agree with each other', () => {
  it('has in summary.json the percentiles that requests.csv gives, within HDR precision', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const rows = csvRecords(exportText(exporters.requests, journal)).filter((row) => row.warm_up === 'false');
        const summary = JSON.parse(exportText(exporters.summary, journal)) as Summary;
        expect(summary.total.count).toBe(rows.length);
        for (const operation of operationIds) {
          const own = rows.filter((row) => row.operation === operation);
          expect(summary.operations[operation]?.count ?? 0).toBe(own.length);
          for (const outcome of ['success', 'error', 'refused', 'failed', 'censored'] as const) {
            const latency = summary.operations[operation]?.latency[outcome];
            const these = own.filter((row) => classOf(row) === outcome);
            expectSameDistribution(
              latency?.service,
              these.map((row) => Number(row.service_us)),
            );
            expectSameDistribution(
              latency?.response,
              these.map((row) => Number(row.response_us)),
            );
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('has in intervals.csv every exchange of requests.csv once', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const rows = csvRecords(exportText(exporters.requests, journal));
        const intervals = csvRecords(exportText(exporters.intervals, journal));
        const sum = (column: string): number => intervals.reduce((total, row) => total + Number(row[column]), 0);
        expect(sum('sent')).toBe(rows.length);
        expect(sum('refused')).toBe(rows.filter((row) => row.outcome === 'refused').length);
        expect(sum('bytes_received')).toBe(rows.reduce((total, row) => total + Number(row.bytes_received), 0));
      }),
      { numRuns: 30 },
    );
  });

  it('has histograms in latency.hlog that another reader of the format understands', () => {
    fc.assert(
      fc.property(journals, (journal) => {
        const reader = new HistogramLogReader(exportText(exporters.latency, journal));
        const read = new Map<string, { count: number; max: number }>();
        for (let next = reader.nextIntervalHistogram(); next; next = reader.nextIntervalHistogram()) {
          read.set(next.tag ?? '', { count: next.totalCount, max: next.maxValue });
        }
        const histograms = measured(journal).histograms();
        expect([...read.keys()]).toEqual(histograms.map(({ tag }) => tag));
        for (const { tag, distribution } of histograms) {
          expect(read.get(tag)?.count).toBe(distribution.count);
          expectWithinHdr(read.get(tag)?.max ?? Number.NaN, distribution.maxUs);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('says of bounds how the least certain were computed', () => {
    const boundsBy = (...methods: readonly (string | undefined)[]) => {
      const percentiles = Object.fromEntries(
        percentileNames.map((name, index) => {
          const method = methods[index];
          return [name, method === undefined ? {} : { us: 1, bounds: { method } }];
        }),
      );
      const row = { metric: 'm', tags: {}, distribution: { count: 1, percentiles } };
      const measurements = { histograms: () => [row] } as unknown as Measurements;
      const text = [...exporters.latencies.open().finish(measurements)].join('');
      return csvRecords(`${exporters.latencies.columns.map(({ name }) => name).join(',')}\n${text}`).at(-1)?.bounds_by;
    };
    expect(boundsBy('order-statistics', 'batch-means')).toBe('batch-means');
    expect(boundsBy(undefined, 'order-statistics')).toBe('order-statistics');
    expect(boundsBy()).toBe('');
  });

  it('encodes with version 2, compressed, as the first bytes say', () => {
    const line = exportText(exporters.latency, [header(), exchange(0, { status: 200 })]).split('\n')[3];
    const encoded = line?.split(',').at(-1) ?? '';
    expect(Buffer.from(encoded, 'base64').readUInt32BE(0)).toBe(0x1c849314);
    expect(decodeFromCompressedBase64(encoded).totalCount).toBe(1);
  });
});
