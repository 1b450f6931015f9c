import { describe, expect, it } from 'vitest';
import { capNames, dropReasons, type JournalRecord } from '../../history/index.ts';
import type { MetricName, Selector } from '../../metrics/index.ts';
import { tagValues } from '../../metrics/tags.ts';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { attributions, journeyOutcomes, outcomeClasses } from '../summary.ts';
import { MetricSeries } from './metric-series.ts';
import type { Reading } from './reading.ts';
import { readingsOf } from './same-numbers.exam.ts';

it.each([
  ['dropped_iterations', 'reason', dropReasons],
  ['cap_wait', 'cap', capNames],
  ['rate_limited', 'limit', attributions],
  ['http_reqs', 'outcome', outcomeClasses],
  ['iterations', 'outcome', journeyOutcomes],
] as const)(
  '%s has for its tag %s the values that records have: a gate on another one would count nothing, and pass',
  (metric, tag, recorded) => {
    expect(tagValues(metric, tag)).toEqual(recorded);
  },
);

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
