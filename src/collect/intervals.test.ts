import { describe, expect, it } from 'vitest';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { measured } from '../testing/measured.ts';
import { refused } from './refused.exam.ts';

describe('a measurement', () => {
  it('gives rows per second without gaps', () => {
    const rows = measured([
      header(),
      exchange({ seq: 0, sentAt: us(900_000), receivedAt: us(1_100_000), capWaitUs: { inFlight: us(7) } }),
      exchange({ seq: 1, sentAt: us(1_000_000), receivedAt: us(1_400_000), intendedAt: us(500_000) }),
      refused(2, 'daily_quota_exceeded', 3_000_000),
      accepted(3, 't', 1_900_000, 1_950_000),
      poll(4, 't', 'completed', 3_000_000, 3_100_000),
      { kind: 'health', at: us(2_000_000), eventLoopP99Us: us(9), gcUs: us(8), backlog: 1 },
      { kind: 'health', at: us(3_000_000), gcUs: us(0), backlog: 0, cpuUs: us(70) },
    ]).intervals();
    expect(rows.map((row) => [row.second, row.sent, row.success, row.refused, row.refusedDaily])).toEqual([
      [0, 1, 0, 0, 0],
      [1, 2, 3, 0, 0],
      [2, 0, 0, 0, 0],
      [3, 2, 1, 1, 1],
    ]);
    expect(rows.map((row) => row.openTurnsPossible)).toEqual([0, 1, 1, 1]);
    expect(rows[0]).toMatchObject({ capWaitUs: 7 });
    expect(rows[0]).not.toHaveProperty('serviceMeanUs');
    expect(rows[1]).toMatchObject({
      serviceMeanUs: 216_667,
      serviceMaxUs: 400_000,
      responseMaxUs: 900_000,
      bytesSent: 300,
    });
    expect(rows[2]).toMatchObject({ eventLoopP99Us: 9, gcUs: 8, backlog: 1 });
    expect(rows[2]).not.toHaveProperty('cpuUs');
    expect(rows[3]).toMatchObject({ gcUs: 0, backlog: 0, cpuUs: 70 });
    expect(rows[3]).not.toHaveProperty('eventLoopP99Us');
  });

  it('counts each outcome and each limit in the second of the answer, and the health of several workers together', () => {
    const failed = { outcome: 'failed', failure: 'ECONNRESET' } as const;
    const health = { kind: 'health', at: us(500_000), gcUs: us(8), backlog: 1 } as const;
    const [row] = measured([
      header(),
      exchange({ seq: 0 }),
      exchange({ seq: 1, status: 500 }),
      exchange({ seq: 2, status: 500 }),
      exchange({ seq: 3, ...failed }),
      exchange({ seq: 4, ...failed, outcome: 'censored' }),
      ...['rate_limited', 'concurrency_limited', 'daily_quota_exceeded', 'slow_down'].map((code, k) =>
        refused(5 + k, code),
      ),
      { ...health, cpuUs: us(30), eventLoopP99Us: us(9) },
      { ...health, cpuUs: us(20), eventLoopP99Us: us(7), backlog: 4, worker: 1 },
    ]).intervals();
    expect(row).toMatchObject({ sent: 9, success: 1, error: 2, failed: 1, censored: 1, refused: 4 });
    expect(row).toMatchObject({ refusedRate: 1, refusedConcurrency: 1, refusedDaily: 1, refusedUnattributed: 1 });
    expect(row).toMatchObject({ cpuUs: 50, gcUs: 16, backlog: 4, eventLoopP99Us: 9 });
  });

  it('names its histograms after the table of metrics', () => {
    const names = measured([
      header(),
      exchange({ seq: 0, capWaitUs: { inFlight: us(7) } }),
      refused(1, 'rate_limited'),
      accepted(2, 't', 10, 20),
      poll(3, 't', 'completed', 30, 40),
      { kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(900), outcome: 'completed' },
    ]).histograms();
    expect(names.map(({ tag, distribution }) => [tag, distribution.count])).toEqual([
      ['http_req_duration.sendMessage.success', 1],
      ['response_time.sendMessage.success', 1],
      ['http_req_duration.readTurn.success', 1],
      ['response_time.readTurn.success', 1],
      ['http_req_duration.readHistory.success', 1],
      ['response_time.readHistory.success', 1],
      ['http_req_duration.readHistory.refused', 1],
      ['response_time.readHistory.refused', 1],
      ['turn_completion.poll.observed', 1],
      ['turn_completion.poll.shortest', 1],
      ['turn_completion.poll.longest', 1],
      ['cap_wait.inFlight', 1],
      ['iteration_duration.ask', 1],
      ['schedule_lag', 3],
    ]);
  });

  const ended = { endedAt: us(2_500_000), outcome: 'completed' } as const;
  it.each([
    ['exchange', exchange({ seq: 1, sentAt: us(2_100_000), receivedAt: us(2_500_000) })],
    ['health record', { kind: 'health', at: us(2_500_000), gcUs: us(0), backlog: 0 }],
    ['stream event', { kind: 'stream', turn: 't', event: 'delta', at: us(2_500_000) }],
    ['journey', { kind: 'journey', arrival: 0, journey: 'j', startedAt: us(0), ...ended }],
  ] as const)('ends, where the history has no end, with the last %s', (_, last) => {
    const drop = { kind: 'drop', intendedAt: us(7_000_000), arrival: 1, journey: 'j', reason: 'stopped' } as const;
    const rows = measured([header(), exchange({ seq: 0 }), drop, last]).intervals();
    expect(rows.map(({ second, drops }) => [second, drops])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
  });

  it('has every second up to its drops, where nothing else is recorded', () => {
    const drop = { kind: 'drop', intendedAt: us(2_500_000), arrival: 1, journey: 'j', reason: 'cap' } as const;
    const rows = measured([header(), drop]).intervals();
    expect(rows.map(({ second, drops }) => [second, drops])).toEqual([
      [0, 0],
      [1, 0],
      [2, 1],
    ]);
  });

  it('has no second after the end: arrivals planned later count in the last one', () => {
    const drop = (seconds: number, count: number) =>
      ({ kind: 'drop', intendedAt: us(seconds * 1e6), arrival: 1, journey: 'j', reason: 'stopped', count }) as const;
    const rows = measured([
      header(),
      exchange({ seq: 0, sentAt: us(100), receivedAt: us(1_200_000) }),
      drop(1, 2),
      drop(7, 3),
      drop(600, 4),
      end({ at: us(2_500_000), complete: false, reason: 'interrupted', exchanges: 1, drops: 9 }),
    ]).intervals();
    expect(rows.map(({ second, drops, sent }) => [second, drops, sent])).toEqual([
      [0, 0, 1],
      [1, 2, 0],
      [2, 7, 0],
    ]);
  });
});

it('a history that claims to have lasted for months has rows only for seconds with records, in order', () => {
  const month = 2_592_000_000_000;
  const rows = measured([
    header(),
    exchange({ seq: 1, sentAt: us(2 * month) }),
    exchange({ seq: 0, sentAt: us(0) }),
    end({ at: us(2 * month + 1_000), exchanges: 2 }),
  ]).intervals();
  expect(rows.map(({ second, sent }) => [second, sent])).toEqual([
    [0, 1],
    [5_184_000, 1],
  ]);
});

describe('a row', () => {
  const rowsOf = (...records: Parameters<typeof measured>[0]) => measured([header(), ...records]).intervals();
  const health = { kind: 'health', at: us(500_000), gcUs: us(8), backlog: 1 } as const;

  it('counts journeys in the second in which they started', () => {
    const journey = (startedAt: number) =>
      ({
        kind: 'journey',
        arrival: startedAt,
        journey: 'ask',
        startedAt: us(startedAt),
        endedAt: us(2_000_000),
        outcome: 'completed',
      }) as const;
    const rows = rowsOf(journey(0), journey(999_999), journey(1_000_000), { ...health, at: us(2_000_000) });
    expect(rows.map(({ second, arrivals }) => [second, arrivals])).toEqual([
      [0, 2],
      [1, 1],
      [2, 0],
    ]);
  });

  it('is there for a second in which only an event of a stream came', () => {
    const rows = rowsOf(exchange({ seq: 0 }), { kind: 'stream', turn: 't', event: 'delta', at: us(1_000_000) });
    expect(rows.map(({ second, sent }) => [second, sent])).toEqual([
      [0, 1],
      [1, 0],
    ]);
  });

  it('has the times of answers and refusals, and of nothing that had no answer', () => {
    const failed = { receivedAt: us(9_000), outcome: 'failed', failure: 'ECONNRESET' } as const;
    const [row] = rowsOf(
      exchange({ seq: 0, receivedAt: us(3_000) }),
      refused(1, 'rate_limited'),
      exchange({ seq: 2, ...failed }),
      exchange({ seq: 3, ...failed, outcome: 'censored' }),
    );
    expect(row).toMatchObject({
      serviceMeanUs: 2_000,
      serviceMaxUs: 3_000,
      responseMeanUs: 2_000,
      responseMaxUs: 3_000,
    });
  });

  it('has no delay of the event loop and no CPU time if no worker measured them', () => {
    const [row] = rowsOf(health, { ...health, worker: 1 });
    expect(row).toMatchObject({ gcUs: 16, backlog: 1 });
    expect(row).not.toHaveProperty('eventLoopP99Us');
    expect(row).not.toHaveProperty('cpuUs');
    const [one] = rowsOf(health, { ...health, worker: 1, eventLoopP99Us: us(7), cpuUs: us(3) });
    expect(one).toMatchObject({ eventLoopP99Us: 7, cpuUs: 3 });
  });
});
