import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { gate, resultOf } from './judged.exam.ts';

const MS = 1_000;

/** A turn of which a poll shows the end 1,610 ms after the start; the last exchanges are `more`, which end before. */
function run(last: Partial<Exchange>, more: readonly Exchange[] = [], journey: { worker?: number } = {}) {
  const records: JournalRecord[] = [
    header(),
    accepted(0, 't', 0, 10 * MS),
    poll(1, 't', 'queued', 500 * MS, 510 * MS),
    ...more,
    poll(9, 't', 'completed', 1_600 * MS, 1_610 * MS, last),
    {
      ...{ kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(1_610 * MS) },
      ...{ outcome: 'completed', ...journey },
    },
    end({ at: us(3_000 * MS), exchanges: 3 + more.length }),
  ];
  return records;
}

const stateOf = (metric: string, demand: string, records: readonly JournalRecord[], windowMs?: number) =>
  resultOf(gate(metric, demand, windowMs === undefined ? {} : { window: windowMs as Millis }), records).state;

/** Sent when the generator went on, 600 ms after it was due; or read then. */
const sentLate = { intendedAt: us(1_000 * MS) };
const readLate = { intendedAt: us(1_000 * MS), sentAt: us(1_000 * MS), readLateUs: us(600 * MS) };
/** Another journey's, read after a standstill from 200 to 450 ms. */
const before = exchange({
  seq: 2,
  arrival: 7,
  sentAt: us(200 * MS),
  receivedAt: us(450 * MS),
  readLateUs: us(250 * MS),
});

describe('a turn and a journey may have lasted longer by as much as the generator stood still', () => {
  it.each([
    ['turn_completion', 'max<1500'],
    ['turn_completion{bound:longest}', 'max<1500'],
    ['iteration_duration', 'max<1500'],
  ])('%s: %s', (metric, demand) => {
    for (const records of [run(sentLate), run(readLate)]) {
      expect(stateOf(metric, demand, records)).toBe('undetermined');
      expect(stateOf(metric, demand, records, 2_000)).toBe('undetermined');
      expect(stateOf(metric, 'max<900', records)).toBe('fail');
    }
    expect(stateOf(metric, demand, run({}))).toBe('fail');
    expect(stateOf(metric, demand, run({}), 2_000)).toBe('fail');
  });

  it('but not where the service did not answer the poll before', () => {
    const slow = poll(2, 't', 'queued', 900 * MS, 1_599 * MS);
    for (const metric of ['turn_completion', 'iteration_duration'])
      expect(stateOf(metric, 'max<1500', run(sentLate, [slow]))).toBe('fail');
  });

  it('a turn not by what was before a poll that saw it open, a journey by all', () => {
    expect(stateOf('turn_completion', 'max<1500', run({}, [before]))).toBe('fail');
    expect(stateOf('iteration_duration', 'max<1500', run({}, [before]))).toBe('undetermined');
    // 250 + 600 ms of 1,610.
    expect(stateOf('iteration_duration', 'max<770', run(readLate, [before]))).toBe('undetermined');
    expect(stateOf('iteration_duration', 'max<750', run(readLate, [before]))).toBe('fail');
  });

  it('nor by what another worker did', () => {
    const other = { ...before, worker: 2 };
    expect(stateOf('iteration_duration', 'max<1500', run({}, [other], { worker: 1 }))).toBe('fail');
    expect(stateOf('iteration_duration', 'max<1500', run({}, [other], { worker: 2 }))).toBe('undetermined');
  });

  it('what several answers show of one standstill counts once', () => {
    const many = [3, 4, 5].map((seq) => ({ ...before, seq, sentAt: us(seq * 100 * MS - 200 * MS) }));
    expect(stateOf('iteration_duration', 'max<1300', run({}, [before, ...many]))).toBe('fail');
    expect(stateOf('iteration_duration', 'max<1400', run({}, [before, ...many]))).toBe('undetermined');
  });

  it('a turn that a stream shows by what its event was read late', () => {
    const followed = (readLateUs: number | undefined): JournalRecord[] => [
      header(),
      accepted(0, 't', 0, 10 * MS),
      { kind: 'stream', turn: 't', event: 'opened', at: us(20 * MS) },
      {
        ...{ kind: 'stream', turn: 't', event: 'completed', at: us(1_610 * MS), status: 'completed' },
        ...(readLateUs !== undefined && { readLateUs: us(readLateUs) }),
      },
      {
        ...{ kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(1_610 * MS) },
        outcome: 'completed',
      },
      end({ at: us(3_000 * MS), exchanges: 1 }),
    ];
    for (const metric of ['turn_completion', 'turn_first_event', 'iteration_duration']) {
      expect(stateOf(metric, 'max<1500', followed(600 * MS))).toBe('undetermined');
      expect(stateOf(metric, 'max<900', followed(600 * MS))).toBe('fail');
      expect(stateOf(metric, 'max<1500', followed(undefined))).toBe('fail');
    }
  });
});
