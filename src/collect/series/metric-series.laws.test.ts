import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MetricName, metricNames, metricOf } from '../../metrics/index.ts';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { histories } from '../sample-run.exam.ts';
import type { Distribution } from '../summary.ts';
import { pooled, type Reading } from './reading.ts';
import { measuredUs, pairs, queries, readingsOf } from './same-numbers.exam.ts';

/** What a trend's reading must say where a summary has this distribution. */
function trendOf(distribution: Distribution | undefined) {
  if (!distribution) return { type: 'trend' };
  return {
    type: 'trend',
    samples: expect.objectContaining({ count: distribution.count }),
  };
}

describe('the readings of a run', () => {
  it('are of one application, if limits apply to each application', () => {
    const messages = ['a1', 'a1', 'a2', 'a2'].flatMap((application, seq) =>
      accepted(seq, `t${seq}`, seq * 1_000, seq * 1_000 + 500, { application, intendedAt: us(seq * 1_000) }),
    );
    const records = [header(), ...messages, end({ exchanges: 4, at: us(1_000_000) })];
    const asked = readingsOf(records, [
      { metric: 'open_turns', tags: { bound: 'possible' } },
      { metric: 'admitted_per_minute', tags: {} },
    ]);
    expect(asked.map((reading) => 'value' in reading && reading.value)).toEqual([2, 2]);
    expect(summaryOf(records).turns.open.maxPossible).toBe(4);
  });

  it('are of one counter of the daily quota, of which one application can have several', () => {
    const messages = ['u1', 'u1', 'u2', 'u3'].map((user, seq) =>
      accepted(seq, `t${seq}`, seq * 1_000, seq * 1_000 + 500, { user, application: user === 'u3' ? 'a2' : 'a1' }),
    );
    const used = (scope: string) =>
      readingsOf(
        [header({ profile: { limits: { daily: { scope } } } }), ...messages],
        [undefined, 'a1', 'a2', 'nobody'].map((application) => ({
          metric: 'daily_quota_used' as const,
          tags: application === undefined ? {} : { application },
        })),
      ).map((reading) => 'value' in reading && reading.value);
    expect(used('user')).toEqual([2, 2, 1, 0]);
    expect(used('application')).toEqual([3, 3, 1, 0]);
  });

  it('equal its summary, for every metric', () => {
    const seen = new Set<MetricName>();
    fc.assert(
      fc.property(histories, (records) => {
        const summary = summaryOf(records);
        const readings = readingsOf(records, queries);
        for (const [index, [metric, tags, expected]] of pairs.entries()) {
          const reading = readings[index];
          const value = expected(summary);
          const where = `${metric} ${JSON.stringify(tags)}`;
          switch (reading?.type) {
            case 'counter':
              expect(reading, where).toEqual({ type: 'counter', count: value, seconds: reading.seconds });
              expect(reading.seconds).toBeCloseTo(measuredUs(summary, tags.stage) / 1e6, 9);
              break;
            case 'rate':
              expect([reading.part, reading.whole], where).toEqual(value);
              break;
            case 'gauge':
              expect(reading.value, where).toBe(value);
              break;
            case 'trend': {
              const distribution = value as Distribution | undefined;
              // A summary shows times as they were measured.
              const { earliest: _, ...measured } = reading;
              expect(measured, where).toEqual(trendOf(distribution));
              const { samples } = reading;
              if (!samples || !distribution) break;
              expect([samples.min, Math.round(samples.mean), samples.max], where).toEqual([
                distribution.minUs,
                distribution.meanUs,
                distribution.maxUs,
              ]);
              const { p50 } = distribution.percentiles;
              if ('us' in p50) expect({ us: samples.at(50), bounds: samples.bounds(50) }, where).toEqual(p50);
            }
          }
          seen.add(metric);
        }
      }),
      { numRuns: 20 },
    );
    // The summary counts what nothing followed, too.
    expect([...metricNames].filter((name) => !seen.has(name))).toEqual(['turn_not_completed', 'cap_wait']);
  });

  it('of waits for caps equal the summary, without the warm-up', () => {
    const records = [
      header({ warmUpUs: us(10) }),
      exchange({ seq: 2, intendedAt: us(9), sentAt: us(80), capWaitUs: { inFlight: us(70) } }),
      exchange({ seq: 0, intendedAt: us(10), sentAt: us(50), capWaitUs: { inFlight: us(40), openTurns: us(5) } }),
      exchange({ seq: 1, intendedAt: us(10), sentAt: us(20), capWaitUs: { inFlight: us(10) } }),
    ];
    const [all, inFlight] = readingsOf(records, [
      { metric: 'cap_wait', tags: {} },
      { metric: 'cap_wait', tags: { cap: 'inFlight' } },
    ]);
    expect(all).toMatchObject({ samples: { count: 3, max: 40 } });
    expect(inFlight).toMatchObject({ samples: { count: 2, max: 40, min: 10 } });
  });

  it('of several pooled runs equal those of all their samples', () => {
    fc.assert(
      fc.property(histories, histories, (some, others) => {
        const whole = [readingsOf(some, queries), readingsOf(others, queries)];
        for (const [index, { metric }] of queries.entries()) {
          const [a, b] = whole.map((readings) => readings[index]) as [Reading, Reading];
          const both = pooled([a, b]);
          expect(both.type).toBe(metricOf(metric).type);
          if (a.type === 'trend' && b.type === 'trend' && both.type === 'trend') {
            expect(both.samples?.count ?? 0).toBe((a.samples?.count ?? 0) + (b.samples?.count ?? 0));
            expect(both.samples?.max ?? 0).toBe(Math.max(a.samples?.max ?? 0, b.samples?.max ?? 0));
          }
          if (a.type === 'rate' && b.type === 'rate')
            expect(both).toMatchObject({ type: 'rate', part: a.part + b.part, whole: a.whole + b.whole });
          if (a.type === 'counter' && b.type === 'counter')
            expect(both).toEqual({ type: 'counter', count: a.count + b.count, seconds: a.seconds + b.seconds });
          if (a.type === 'gauge' && b.type === 'gauge') {
            const values = [a.value, b.value].filter((value) => value !== undefined);
            expect(both).toEqual({ type: 'gauge', ...(values.length > 0 && { value: Math.max(...values) }) });
          }
        }
      }),
      { numRuns: 5 },
    );
    const ofEachType: readonly Reading[] = [
      { type: 'trend' },
      { type: 'counter', count: 0, seconds: 1 },
      { type: 'rate', part: 0, whole: 0 },
      { type: 'gauge' },
    ];
    for (const one of ofEachType)
      for (const other of ofEachType.filter(({ type }) => type !== one.type))
        expect(() => pooled([one, other])).toThrow('readings of different types');
    expect(() => pooled([])).toThrow('nothing to pool');
  });

  it('of pooled runs that differ as a whole are bounded by the runs, not by the samples', () => {
    const ofRun = (ms: number): Reading => {
      const samples = new MicrosHistogram();
      for (let index = 0; index < 200; index++) samples.record(ms * 1_000, us(index * 50_000));
      return { type: 'trend', samples };
    };
    const boundsOf = (runs: readonly number[]) => {
      const both = pooled(runs.map(ofRun));
      return both.type === 'trend' ? both.samples?.bounds(80) : undefined;
    };
    expect(boundsOf([10, 10, 10, 10, 10, 10])).toMatchObject({ method: 'order-statistics', highUs: 10_000 });
    // 1,000 of 1,200 samples are fast, but of six runs one is slow.
    expect(boundsOf([10, 10, 10, 90, 10, 10])).toEqual({ method: 'batch-means', lowUs: 10_000 });
  });
});
