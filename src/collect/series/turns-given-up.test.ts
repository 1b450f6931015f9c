import { describe, expect, it } from 'vitest';
import type { JournalRecord, JourneyRecord } from '../../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../../testing/history/sample-records.ts';
import { MetricSeries } from './metric-series.ts';

/** Every arrival sends one message, and its journey ends after 20 s. */
const journey = (arrival: number, outcome: JourneyRecord['outcome'] = 'completed'): JourneyRecord => ({
  kind: 'journey',
  arrival,
  journey: 'ask',
  startedAt: us(0),
  endedAt: us(20_000_000),
  outcome,
});
const sent = (arrival: number) => accepted(arrival * 10, `t${arrival}`, 1_000, 2_000, { arrival });
const polled = (arrival: number, status: string) =>
  poll(arrival * 10 + 1, `t${arrival}`, status, 3_000_000, 3_001_000, { arrival });

function series(records: readonly JournalRecord[], windowUs?: number): MetricSeries {
  const made = new MetricSeries([
    { metric: 'turn_not_completed', tags: {}, ...(windowUs !== undefined && { windowUs: us(windowUs) }) },
  ]);
  for (const record of [header(), ...records]) made.add(record);
  return made;
}

const shareIn = (...records: readonly JournalRecord[]) => {
  const reading = series([...records, end({ at: us(30_000_000) })]).reading(0);
  return reading.type === 'rate' && [reading.part, reading.whole];
};

describe('of the turns that were not completed', () => {
  it.each<[string, readonly JournalRecord[], readonly [number, number]]>([
    ['one that completed', [polled(1, 'completed'), journey(1)], [0, 1]],
    ['one that failed', [polled(1, 'failed'), journey(1)], [1, 1]],
    ['one that never finished', [polled(1, 'processing'), journey(1)], [1, 1]],
    ['one whose journey stopped for it', [polled(1, 'processing'), journey(1, 'stopped')], [1, 1]],
    ['one whose journey the end of the run interrupted', [polled(1, 'processing'), journey(1, 'interrupted')], [0, 0]],
    ['one whose journey goes on', [polled(1, 'processing')], [0, 0]],
    ['one that completed, and its journey goes on', [polled(1, 'completed')], [0, 1]],
    ['one that nothing followed', [journey(1)], [0, 0]],
    [
      'one whose stream could not be opened',
      [
        exchange({ seq: 11, operation: 'openStream', arrival: 1, status: 500, turn: { id: 't1' }, sentAt: us(3_000) }),
        journey(1),
      ],
      [1, 1],
    ],
    [
      'one whose every poll was refused',
      [
        poll(11, 't1', '', 3_000, 4_000, { arrival: 1, outcome: 'refused', status: 429, turn: { id: 't1' } }),
        journey(1),
      ],
      [1, 1],
    ],
  ])('%s', (_, records, expected) => {
    expect(shareIn(sent(1), ...records)).toEqual(expected);
  });

  it('each counts once, and journeys side by side are told apart', () => {
    const records = [sent(1), sent(2), polled(1, 'processing'), polled(2, 'processing'), polled(2, 'completed')];
    expect(shareIn(...records, journey(1), journey(2))).toEqual([1, 2]);
    expect(shareIn(...records, journey(2), journey(1, 'interrupted'))).toEqual([0, 1]);
  });

  it('one that was given up belongs to the window in which its journey ended', () => {
    const records = [sent(1), polled(1, 'processing'), journey(1)];
    const shares = [...series([...records, end({ at: us(30_000_000) })], 10_000_000).windows(0)].map(
      ({ toUs, reading }) => [toUs / 1e6, reading.type === 'rate' && reading.part],
    );
    // A window with the samples of the one before is left out.
    expect(shares.filter(([, part]) => part !== 0)).toEqual([[21, 1]]);
  });
});
