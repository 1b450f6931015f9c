import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitNames, operationIds } from '../../api/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { type MetricName, metricNames, metricOf, type Selector } from '../../metrics/index.ts';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';
import { MicrosHistogram } from '../histogram.ts';
import { histories } from '../sample-run.exam.ts';
import { type Distribution, failuresIn, outcomeClasses, type Summary } from '../summary.ts';
import { MetricSeries } from './metric-series.ts';
import { pooled, type Reading } from './reading.ts';

const readingsOf = (records: readonly JournalRecord[], queries: readonly Selector[]): Reading[] => {
  const series = new MetricSeries(queries);
  for (const record of records) series.add(record);
  return queries.map((_, index) => series.reading(index));
};

/** What a trend's reading must say where a summary has this distribution. */
function trendOf(distribution: Distribution | undefined) {
  if (!distribution) return { type: 'trend' };
  return {
    type: 'trend',
    samples: expect.objectContaining({ count: distribution.count }),
  };
}
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Queries, and where the summary has the same number. */
const pairs: readonly (readonly [MetricName, Selector['tags'], (summary: Summary) => unknown])[] = [
  ...operationIds.flatMap((operation) => [
    ['http_reqs', { operation }, (s: Summary) => s.operations[operation]?.count ?? 0] as const,
    ['retries', { operation }, (s: Summary) => s.operations[operation]?.retries ?? 0] as const,
    ['data_sent', { operation }, (s: Summary) => s.operations[operation]?.bytes.sent ?? 0] as const,
    ['data_received', { operation }, (s: Summary) => s.operations[operation]?.bytes.received ?? 0] as const,
    ...outcomeClasses.flatMap((outcome) => [
      ['http_reqs', { operation, outcome }, (s: Summary) => s.operations[operation]?.byOutcome[outcome] ?? 0] as const,
      [
        'http_req_duration',
        { operation, outcome },
        (s: Summary) => s.operations[operation]?.latency[outcome]?.service,
      ] as const,
      [
        'response_time',
        { operation, outcome },
        (s: Summary) => s.operations[operation]?.latency[outcome]?.response,
      ] as const,
    ]),
  ]),
  ['http_reqs', {}, (s) => s.total.count],
  ['http_reqs', { status: '500' }, (s) => s.total.statuses['500'] ?? 0],
  ['http_req_duration', { outcome: 'success' }, (s) => s.total.latency.success?.service],
  ['http_req_failed', {}, ({ total }) => [failuresIn(total), total.count]],
  ['rate_limited', {}, (s) => [s.refusals.total, s.total.count]],
  ...limitNames.map(
    (limit) => ['rate_limited', { limit }, (s: Summary) => [s.refusals.byLimit[limit], s.total.count]] as const,
  ),
  ['turn_completion', {}, (s) => s.turns.completion],
  ['turn_completion', { by: 'poll' }, (s) => s.turns.completionByPoll],
  ['turn_completion', { by: 'stream', bound: 'observed' }, (s) => s.turns.completionByStream],
  ['turn_completion', { by: 'message' }, (s) => s.turns.completionByMessage],
  ['turn_completion', { bound: 'shortest' }, (s) => s.turns.completionBounds?.shortest],
  ['turn_completion', { bound: 'longest' }, (s) => s.turns.completionBounds?.longest],
  ['turn_completion', { by: 'stream', bound: 'longest' }, () => undefined],
  ['turn_first_event', {}, (s) => s.turns.firstEvent],
  ['turn_first_delta', {}, (s) => s.turns.firstDelta],
  ['turn_poll_lag', {}, (s) => s.turns.pollAfterStream],
  ['turn_server_latency', {}, (s) => s.turns.serverLatency],
  ['turn_failed', {}, ({ turns }) => [turns.failed, turns.failed + turns.completed]],
  ['iterations', {}, (s) => sum(Object.values(s.journeys).flatMap(({ byOutcome }) => Object.values(byOutcome)))],
  ['iterations', { journey: 'ask', outcome: 'completed' }, (s) => s.journeys.ask?.byOutcome.completed ?? 0],
  ['iteration_duration', { journey: 'read' }, (s) => s.journeys.read?.duration],
  ['dropped_iterations', {}, (s) => s.drops.total],
  ['dropped_iterations', { reason: 'cap' }, (s) => s.drops.byReason.cap ?? 0],
  ['checks', {}, ({ expectations: { checked, unmet } }) => [checked - unmet, checked]],
  ['schedule_lag', {}, (s) => s.health.scheduleLag],
  ['event_loop_delay', {}, (s) => s.health.eventLoopP99MaxUs],
  [
    'open_turns',
    { bound: 'possible' },
    (s) => (s.turns.accepted > 0 ? (s.turns.open.fullest?.maxPossible ?? 0) : undefined),
  ],
  [
    'daily_quota_used',
    {},
    (s) => (s.messages.attempts + s.dailyQuota.length > 0 ? (s.fullestDay?.used ?? 0) : undefined),
  ],
  [
    'daily_quota_used',
    { application: 'nobody' },
    (s) => (s.messages.attempts + s.dailyQuota.length > 0 ? 0 : undefined),
  ],
  ['admitted_per_minute', {}, (s) => s.fullestWindow?.admitted],
  // Every exchange of these histories is of one journey.
  ['http_reqs', { journey: 'ask' }, (s) => s.total.count],
  ['http_reqs', { journey: 'read' }, () => 0],
  ['http_req_failed', { journey: 'ask' }, ({ total }) => [failuresIn(total), total.count]],
  ['response_time', { journey: 'read' }, () => undefined],
  ['turn_completion', { journey: 'ask' }, (s) => s.turns.completion],
  ['turn_completion', { journey: 'read' }, () => undefined],
  ...['stair-1', 'stair-2'].flatMap((stage) => {
    const of = (summary: Summary) => summary.stages?.find(({ name }) => name === stage);
    return [
      ['http_reqs', { stage }, (s: Summary) => of(s)?.exchanges ?? 0] as const,
      ['http_reqs', { outcome: 'refused', stage }, (s: Summary) => of(s)?.byOutcome.refused ?? 0] as const,
      ['http_req_duration', { outcome: 'success', stage }, (s: Summary) => of(s)?.latency?.service] as const,
      ['response_time', { outcome: 'success', stage }, (s: Summary) => of(s)?.latency?.response] as const,
      ['rate_limited', { stage }, (s: Summary) => [of(s)?.byOutcome.refused ?? 0, of(s)?.exchanges ?? 0]] as const,
      [
        'rate_limited',
        { limit: 'daily', stage },
        (s: Summary) => [of(s)?.refusedBy.daily ?? 0, of(s)?.exchanges ?? 0],
      ] as const,
      [
        'http_req_failed',
        { stage },
        (s: Summary) => {
          const found = of(s);
          return found ? [failuresIn(found), found.exchanges] : [0, 0];
        },
      ] as const,
      ['iterations', { outcome: 'completed', stage }, (s: Summary) => of(s)?.journeys.completed ?? 0] as const,
      ['dropped_iterations', { stage }, (s: Summary) => of(s)?.dropped ?? 0] as const,
      ['turn_completion', { stage }, (s: Summary) => of(s)?.turns?.completion] as const,
    ];
  }),
];
/** Of the run, or of a stage that is not its last. */
const measuredUs = ({ run, stages = [] }: Summary, stage: string | undefined): number =>
  stage === undefined ? run.durationUs - run.warmUpUs : (stages.find(({ name }) => name === stage)?.measuredUs ?? 0);

const queries = pairs.map(([metric, tags]) => ({ metric, tags }));

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
              expect(reading, where).toEqual(trendOf(distribution));
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

describe('tags that select samples', () => {
  const stages = [0, 2, 4].map((second, index) => ({
    name: `stair-${index + 1}`,
    fromUs: us(second * 1_000_000),
    toUs: us((second + 2) * 1_000_000),
  }));
  const records: JournalRecord[] = [
    header({ stages }),
    ...Array.from({ length: 70 }, (_, seq) =>
      exchange({ seq, sentAt: us(seq * 100_000), journey: seq % 2 === 0 ? 'ask' : 'read' }),
    ),
    {
      kind: 'stream',
      turn: 't1',
      event: 'closed',
      at: us(4_500_000),
      expect: { checked: 3, unmet: ['no'] },
      handshake: { seq: 1, sentAt: us(1), intendedAt: us(2_000_000), journey: 'read' },
    },
    end({ at: us(7_500_000), exchanges: 70 }),
  ];

  it('give a counter the seconds of its stage, and the last stage everything after it', () => {
    const counts = ['stair-1', 'stair-2', 'stair-3', 'nowhere'].map((stage) => ({
      metric: 'http_reqs' as const,
      tags: { stage },
    }));
    expect(readingsOf(records, counts)).toEqual([
      { type: 'counter', count: 20, seconds: 2 },
      { type: 'counter', count: 20, seconds: 2 },
      { type: 'counter', count: 30, seconds: 3.5 },
      { type: 'counter', count: 0, seconds: 0 },
    ]);
  });

  it('can be combined, and apply to the journey and the stage of stream events', () => {
    const asked: Selector[] = [
      { metric: 'http_reqs', tags: { journey: 'ask', stage: 'stair-2' } },
      { metric: 'checks', tags: { journey: 'read', stage: 'stair-2' } },
      { metric: 'checks', tags: { journey: 'ask' } },
      { metric: 'checks', tags: { stage: 'stair-3' } },
    ];
    expect(readingsOf(records, asked)).toEqual([
      { type: 'counter', count: 10, seconds: 2 },
      { type: 'rate', part: 2, whole: 3, over: expect.anything() },
      { type: 'rate', part: 0, whole: 0, over: expect.anything() },
      { type: 'rate', part: 0, whole: 0, over: expect.anything() },
    ]);
  });

  it('tell the applications apart, of exchanges, of waits and of turns', () => {
    const ofTwo: JournalRecord[] = [
      header(),
      ...['a1', 'a1', 'a2'].map((application, seq) =>
        accepted(seq, `t${seq}`, seq * 1_000, seq * 1_000 + 500, { application, capWaitUs: { inFlight: us(7) } }),
      ),
      exchange({ seq: 3, sentAt: us(5_000), application: 'a2', status: 500 }),
      ...[0, 1, 2].map((seq) =>
        exchange({
          seq: 4 + seq,
          operation: 'readTurn',
          sentAt: us(10_000 + seq * 1_000),
          application: seq < 2 ? 'a1' : 'a2',
          turn: { id: `t${seq}`, status: seq === 1 ? 'failed' : 'completed' },
        }),
      ),
      end({ exchanges: 7, at: us(1_000_000) }),
    ];
    const of = (metric: MetricName) => ['a1', 'a2', 'a3'].map((application) => ({ metric, tags: { application } }));
    const [failed, waits, requests, turns] = (['http_req_failed', 'cap_wait', 'http_reqs', 'turn_failed'] as const).map(
      (metric) => readingsOf(ofTwo, of(metric)),
    );
    const shares = (readings: readonly Reading[] | undefined) =>
      readings?.map((reading) => reading.type === 'rate' && [reading.part, reading.whole]);
    expect(shares(failed)).toEqual([
      [0, 4],
      [1, 3],
      [0, 0],
    ]);
    expect(requests?.map((reading) => reading.type === 'counter' && reading.count)).toEqual([4, 3, 0]);
    expect(waits?.map((reading) => reading.type === 'trend' && (reading.samples?.count ?? 0))).toEqual([2, 1, 0]);
    expect(shares(turns)).toEqual([
      [1, 2],
      [0, 1],
      [0, 0],
    ]);
  });

  it('have windows only within their stage', () => {
    const series = new MetricSeries([{ metric: 'http_reqs', tags: { stage: 'stair-2' }, windowUs: us(1_000_000) }]);
    for (const record of records) series.add(record);
    expect([...series.windows(0)].map(({ fromUs, toUs }) => [fromUs, toUs])).toEqual([
      [2_000_000, 3_000_000],
      [3_000_000, 4_000_000],
    ]);
    const until = (at: number) => [...series.windows(0, us(at))].map(({ fromUs }) => fromUs);
    expect([until(2_500_000), until(3_500_000), until(5_500_000)]).toEqual([[], [2_000_000], []]);
  });

  it('have, of the whole run, a window that ends now, although the last record is older', () => {
    const series = new MetricSeries([{ metric: 'http_reqs', tags: {}, windowUs: us(2_000_000) }]);
    for (const record of records) series.add(record);
    expect([...series.windows(0, us(8_200_000))]).toEqual([
      { fromUs: 6_000_000, toUs: 8_000_000, reading: { type: 'counter', count: 10, seconds: 2 } },
    ]);
  });
});
