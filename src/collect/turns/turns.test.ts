import { describe, expect, it } from 'vitest';
import type { JournalRecord, StreamRecord } from '../../history/index.ts';
import { accepted, end, header, poll, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import { MetricSeries } from '../series/metric-series.ts';

const stream = (turn: string, event: StreamRecord['event'], at: number): StreamRecord => ({
  kind: 'stream',
  turn,
  event,
  at: us(at),
});

describe('a turn whose first attempt had no answer', () => {
  const { headersAt: _, turn: __, status: ___, ...sent } = accepted(0, 'late', 1_000, 2_000);
  const lost: JournalRecord = { ...sent, outcome: 'failed', failure: 'ECONNRESET' };
  const again = accepted(1, 'late', 900_000, 901_000, { attempt: 2, turn: { id: 'late', status: 'completed' } });

  it('has an unknown duration, and may have been in process since that attempt was sent', () => {
    const run = measured([header(), lost, again, accepted(2, 'other', 300_000, 301_000), end({ exchanges: 3 })]);
    const { turns } = run.summary();
    expect(turns).toMatchObject({ accepted: 2, completed: 1, open: { maxPossible: 2 } });
    expect(turns.completion).toBeUndefined();
    const row = run.turns().find(({ turn }) => turn === 'late');
    expect(row).toMatchObject({ turn: 'late', acceptSentAt: 1_000, acceptHeadersAt: 901_000, finishedAfter: 1_000 });
    expect(row).not.toHaveProperty('completionUs');
  });

  it('has a known duration if that attempt was never sent, or was refused', () => {
    const unsent = { ...lost, bytes: { sent: 0, received: 0 } };
    const invalid = { ...sent, headersAt: us(2_000), outcome: 'answered' as const, status: 422 };
    for (const first of [unsent, invalid])
      expect(measured([header(), first, again]).summary().turns.completion?.count).toBe(1);
  });
});

describe('what the profile does not list', () => {
  const shown = (turn: string, status: string, at: number, id: number) => poll(id, turn, status, at, at + 500);
  const records = [
    header({ warmUpUs: us(5_000) }),
    accepted(0, 'a', 1_000, 2_000),
    shown('a', 'cancelled', 3_000, 1), // of the warm-up
    shown('a', 'processing', 6_000, 2),
    shown('a', 'DONE', 7_000, 3),
    shown('a', 'DONE', 8_000, 4),
    poll(5, 'a', 'cancelled', 9_000, 9_500, { outcome: 'censored', failure: 'deadline' }),
    { ...stream('a', 'status', 10_000), status: 'finished' },
    { ...stream('a', 'status', 11_000), status: 'queued' },
    stream('a', 'unknown', 12_000),
    end({ exchanges: 6 }),
  ];

  it('is counted after the warm-up: statuses of polls and streams by their words, events of streams', () => {
    const { turns } = measured(records).summary();
    expect(turns).toMatchObject({ completed: 0, unfinished: 0, unlistedEvents: 1 });
    expect(turns.unlistedStatuses).toEqual([
      { status: 'DONE', count: 2 },
      { status: 'finished', count: 1 },
    ]);
  });

  it('is absent if there is nothing of the kind', () => {
    const { turns } = measured([header(), accepted(0, 'a', 1_000, 2_000), shown('a', 'completed', 3_000, 1)]).summary();
    expect(turns).not.toHaveProperty('unlistedStatuses');
    expect(turns).not.toHaveProperty('unlistedEvents');
  });
});

describe('streams that broke off', () => {
  const closed = (turn: string, reason: 'completed' | 'dropped' | 'deadline' | 'stopped', at: number) => ({
    ...stream(turn, 'closed', at),
    reason,
  });

  it('are counted after the warm-up, apart from those that ended otherwise', () => {
    const records = [
      header({ warmUpUs: us(5_000) }),
      ...['a', 'b', 'c', 'd', 'e'].map((turn, i) => accepted(i, turn, 1_000, 2_000)),
      closed('a', 'dropped', 4_000), // of the warm-up
      closed('b', 'dropped', 6_000),
      closed('b', 'dropped', 7_000),
      closed('c', 'completed', 8_000),
      closed('d', 'deadline', 9_000),
      closed('e', 'stopped', 10_000),
      end({ exchanges: 5 }),
    ];
    expect(measured(records).summary().turns).toMatchObject({ brokenStreams: 2 });
    const [first, second] = [measured(records.slice(0, 8)), measured([...records.slice(0, 1), ...records.slice(8)])];
    first.merge(second);
    expect(first.summary().turns).toMatchObject({ brokenStreams: 2 });
  });

  it('are absent if there were none', () => {
    const { turns } = measured([header(), accepted(0, 'a', 1_000, 2_000), closed('a', 'completed', 3_000)]).summary();
    expect(turns).not.toHaveProperty('brokenStreams');
  });
});

describe('turns', () => {
  const records = [
    header(),
    accepted(0, 'by-poll', 1_000, 3_000),
    poll(1, 'by-poll', 'processing', 10_000, 11_000),
    poll(2, 'by-poll', 'completed', 20_000, 22_000, { turn: { id: 'by-poll', status: 'completed', latencyMs: 12 } }),
    accepted(3, 'by-both', 5_000, 6_000),
    stream('by-both', 'opened', 7_000),
    stream('by-both', 'status', 7_500),
    stream('by-both', 'delta', 9_000),
    stream('by-both', 'completed', 16_000),
    poll(4, 'by-both', 'completed', 17_000, 18_000),
    accepted(5, 'fails', 30_000, 31_000),
    poll(6, 'fails', 'failed', 40_000, 41_000),
    accepted(7, 'open', 50_000, 51_000),
  ];

  it('have bounds of completion by poll, and exact times by stream', () => {
    const { turns } = measured(records).summary();
    expect(turns).toMatchObject({ accepted: 4, completed: 2, failed: 1, unfinished: 1, regressed: 0, polls: 4 });
    expect(turns.completion).toMatchObject({ count: 2, minUs: 10_000, maxUs: 19_000 });
    expect(turns.completionByPoll).toMatchObject({ count: 1, maxUs: 19_000 });
    expect(turns.completionByStream).toMatchObject({ count: 1, maxUs: 10_000 });
    expect(turns.completionBounds).toMatchObject({ shortest: { maxUs: 7_000 }, longest: { maxUs: 21_000 } });
    expect(turns.firstEvent).toMatchObject({ count: 1, maxUs: 1_500 });
    expect(turns.firstDelta).toMatchObject({ count: 1, maxUs: 3_000 });
    expect(turns.pollAfterStream).toMatchObject({ count: 1, maxUs: 2_000 });
    const ofTurns = measured(records)
      .histograms()
      .filter(({ metric }) => metric.startsWith('turn_'))
      .map(({ tag, distribution }) => [tag, distribution.maxUs]);
    expect(ofTurns).toEqual([
      ['turn_completion.stream.observed', 10_000],
      ['turn_completion.poll.observed', 19_000],
      ['turn_completion.poll.shortest', 7_000],
      ['turn_completion.poll.longest', 21_000],
      ['turn_first_event', 1_500],
      ['turn_first_delta', 3_000],
      ['turn_poll_lag', 2_000],
      ['turn_server_latency', 12_000],
    ]);
    expect(turns.serverLatency).toMatchObject({ count: 1, maxUs: 12_000 });
    // by-poll is surely open in [3,000, 10,000), the others never surely; possibly both are, in [5,000, 16,000].
    expect(turns.open).toMatchObject({ maxCertain: 1, maxPossible: 2 });
  });

  it('are in exactly one distribution by what showed the completion, the answer to the message included', () => {
    const atOnce = accepted(8, 'at-once', 60_000, 64_000, { turn: { id: 'at-once', status: 'completed' } });
    const all = measured([...records, atOnce]);
    const { completion, completionByStream, completionByPoll, completionByMessage } = all.summary().turns;
    expect(completionByMessage).toMatchObject({ count: 1, maxUs: 0 });
    const parts = [completionByStream, completionByPoll, completionByMessage].map((part) => part?.count ?? 0);
    expect(parts).toEqual([1, 1, 1]);
    expect(completion?.count).toBe(3);
    const rows = all.histograms().filter(({ metric }) => metric === 'turn_completion');
    expect(rows.map(({ tag, distribution }) => [tag, distribution.count])).toEqual([
      ['turn_completion.stream.observed', 1],
      ['turn_completion.poll.observed', 1],
      ['turn_completion.message.observed', 1],
      ['turn_completion.poll.shortest', 1],
      ['turn_completion.poll.longest', 1],
    ]);
  });

  it('stand in rows', () => {
    expect(measured(records).turns()).toEqual([
      {
        turn: 'by-poll',
        application: 'a1',
        user: 'u1',
        conversation: 'c1',
        message: 'm-by-poll',
        journey: 'ask',
        arrival: 0,
        acceptSentAt: 1_000,
        acceptHeadersAt: 3_000,
        warmUp: false,
        state: 'completed',
        finishedBy: 'poll',
        finishedObservedAt: 22_000,
        finishedAfter: 10_000,
        finishedBefore: 22_000,
        seenByPollAt: 22_000,
        completionUs: 19_000,
        completionLeastUs: 7_000,
        completionMostUs: 21_000,
        serverLatencyMs: 12,
        polls: 2,
        streamEvents: 0,
        regressed: false,
      },
      expect.objectContaining({
        turn: 'by-both',
        finishedBy: 'stream',
        completionUs: 10_000,
        firstEventUs: 1_500,
        firstDeltaUs: 3_000,
        streamEvents: 3,
      }),
      expect.objectContaining({ turn: 'fails', state: 'failed', completionUs: 10_000 }),
      {
        turn: 'open',
        application: 'a1',
        user: 'u1',
        conversation: 'c1',
        message: 'm-open',
        journey: 'ask',
        arrival: 0,
        acceptSentAt: 50_000,
        acceptHeadersAt: 51_000,
        warmUp: false,
        state: 'unfinished',
        polls: 0,
        streamEvents: 0,
        regressed: false,
      },
    ]);
  });

  it('that a poll sees open after their end are told, in number and in their rows', () => {
    const run = measured([...records, poll(8, 'by-both', 'processing', 70_000, 71_000)]);
    expect(run.summary().turns).toMatchObject({ completed: 2, regressed: 1 });
    expect(run.turns().map(({ turn, regressed }) => [turn, regressed])).toEqual([
      ['by-poll', false],
      ['by-both', true],
      ['fails', false],
      ['open', false],
    ]);
  });

  it('of the warm-up are in no distribution, but still open ones count as open', () => {
    const { turns } = measured([header({ warmUpUs: us(2_000) }), ...records.slice(1)]).summary();
    expect(turns).toMatchObject({ accepted: 3, completed: 1, open: { maxCertain: 1, maxPossible: 2 } });
    expect(turns).not.toHaveProperty('completionByPoll');
  });
});

it('a turn of which only the end is certain is certainly open at no instant', () => {
  const records = [accepted(0, 't', 0, 10_000), poll(1, 't', 'completed', 20_000, 21_000)];
  const { open } = measured([header(), ...records]).summary().turns;
  expect(open).toMatchObject({ maxCertain: 0, maxPossible: 1 });
  // As many as without a header, which names the scope of the limit and the warm-up.
  const series = new MetricSeries(['certain', 'possible'].map((bound) => ({ metric: 'open_turns', tags: { bound } })));
  for (const record of records) series.add(record);
  expect([series.reading(0), series.reading(1)]).toEqual([
    { type: 'gauge', value: 0 },
    { type: 'gauge', value: 1 },
  ]);
});

it('of buckets with equally many open turns the first by name is told', () => {
  const { open } = measured([
    header(),
    accepted(0, 't', 0, 10, { application: 'shop' }),
    accepted(1, 'u', 0, 10, { application: 'office', message: { id: 'm', digest: 'd' } }),
  ]).summary().turns;
  expect(open.fullest).toMatchObject({ of: 'office', among: 2, maxPossible: 1 });
});
