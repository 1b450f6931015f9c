import { describe, expect, it } from 'vitest';
import type { DropRecord, JournalRecord, StreamRecord } from '../history/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { measure } from './measure.ts';
import { MetricSeries } from './series/metric-series.ts';
import { failuresIn } from './summary.ts';

const measured = (records: readonly JournalRecord[]) => {
  const measurements = measure();
  for (const record of records) measurements.add(record);
  return measurements;
};
const stream = (turn: string, event: StreamRecord['event'], at: number): StreamRecord => ({
  kind: 'stream',
  turn,
  event,
  at: us(at),
});
const refused = (seq: number, code: string | undefined, sentAt = 0) =>
  exchange({
    seq,
    sentAt: us(sentAt),
    status: 429,
    outcome: 'refused',
    ...(code !== undefined && { error: { code, retryable: true, requestId: 'r' } }),
  });

describe('latency', () => {
  it('is reported as service time and as response time, per operation and outcome', () => {
    const { operations, total } = measured([
      header(),
      exchange({
        seq: 0,
        intendedAt: us(0),
        sentAt: us(400),
        receivedAt: us(1_000),
        bytes: { sent: 10, received: 20 },
      }),
      exchange({ seq: 1, intendedAt: us(0), sentAt: us(100), receivedAt: us(300), status: 500 }),
      exchange({ seq: 2, intendedAt: us(5), sentAt: us(10), receivedAt: us(30), status: 429, outcome: 'refused' }),
      exchange({
        seq: 3,
        intendedAt: us(0),
        sentAt: us(0),
        receivedAt: us(9_000),
        outcome: 'censored',
        failure: 'deadline',
        attempt: 2,
      }),
      exchange({ seq: 4, operation: 'issueToken', status: 201, receivedAt: us(70) }),
    ]).summary();
    const history = operations.readHistory;
    expect(history?.count).toBe(4);
    expect(history?.byOutcome).toEqual({ success: 1, error: 1, refused: 1, failed: 0, censored: 1 });
    expect(history?.latency.success).toMatchObject({
      service: { count: 1, maxUs: 600 },
      response: { count: 1, maxUs: 1_000 },
    });
    expect(history?.latency.answers).toMatchObject({
      service: { count: 3, minUs: 20, meanUs: 273, maxUs: 600 },
      response: { count: 3, minUs: 25, meanUs: 442, maxUs: 1_000 },
    });
    expect(history?.latency.censored?.service.maxUs).toBe(9_000);
    expect(history?.latency).not.toHaveProperty('failed');
    expect(history?.statuses).toEqual({ '200': 2, '429': 1, '500': 1 });
    expect(history?.bytes).toEqual({ sent: 310, received: 620 });
    expect(history?.retries).toBe(1);
    expect(Object.keys(operations)).toEqual(['issueToken', 'readHistory']);
    expect(total.count).toBe(5);
    expect(total.latency.success?.service).toMatchObject({ count: 2, minUs: 70, maxUs: 600 });
  });

  it('counts an answer that could not be used as an error', () => {
    const { operations, errors } = measured([
      header(),
      exchange({ seq: 0, bodyProblem: 'not-json' }),
      exchange({ seq: 1, status: 204 }),
    ]).summary();
    expect(operations.readHistory?.byOutcome).toMatchObject({ success: 0, error: 2 });
    expect(errors).toEqual([
      { operation: 'readHistory', kind: 'body', what: 'not-json', count: 1 },
      { operation: 'readHistory', kind: 'status', what: '204', count: 1 },
    ]);
  });

  it('counts no failure if the step expects the status and every expectation is met', () => {
    const records = [
      header(),
      exchange({ seq: 0, status: 401, expect: { checked: 2, unmet: [], namedStatus: true } }),
      exchange({ seq: 1, status: 401, expect: { checked: 2, unmet: ['error.code: …'], namedStatus: true } }),
      exchange({ seq: 2, status: 401, expect: { checked: 1, unmet: [] } }),
      exchange({ seq: 3 }),
    ];
    const { total, errors } = measured(records).summary();
    expect(total).toMatchObject({ byOutcome: { success: 1, error: 3 }, expectedErrors: 1 });
    expect(failuresIn(total)).toBe(2);
    expect(errors).toEqual([{ operation: 'readHistory', kind: 'status', what: '401', count: 2 }]);
    expect(measured(records.slice(4)).summary().total).not.toHaveProperty('expectedErrors');
    const series = new MetricSeries([{ metric: 'http_req_failed', tags: {} }]);
    for (const record of records) series.add(record);
    expect(series.reading(0)).toMatchObject({ type: 'rate', part: 2, whole: 4 });
  });

  it('takes statuses of success from the profile', () => {
    const profile = { success: { readHistory: [204] } };
    const { operations } = measured([
      header({ profile }),
      exchange({ seq: 0, status: 204 }),
      exchange({ seq: 1 }),
    ]).summary();
    expect(operations.readHistory?.byOutcome).toMatchObject({ success: 1, error: 1 });
  });

  it('excludes the warm-up by intended time', () => {
    const { total, run } = measured([
      header({ warmUpUs: us(100) }),
      exchange({ seq: 0, intendedAt: us(99), sentAt: us(150) }),
      exchange({ seq: 1, intendedAt: us(100), sentAt: us(100) }),
    ]).summary();
    expect(total.count).toBe(1);
    expect(run).toMatchObject({ exchanges: 2, warmUp: { exchanges: 1, newMessages: 0 } });
  });
});

describe('refusals', () => {
  it('are counted per operation and per limit', () => {
    const { refusals, operations } = measured([
      header(),
      exchange({ seq: 0 }),
      refused(1, 'rate_limited'),
      refused(2, 'rate_limited'),
      refused(3, 'daily_quota_exceeded'),
      refused(4, 'slow_down'),
      { ...refused(5, undefined), retryAfter: '2' },
      { ...refused(6, 'concurrency_limited'), operation: 'sendMessage' },
      exchange({ seq: 7 }),
    ]).summary();
    expect(refusals).toEqual({
      total: 6,
      share: 0.75,
      byLimit: { rate: 2, concurrency: 1, daily: 1, unattributed: 2 },
      withRetryAfter: 1,
      unattributedCodes: [
        { code: '', count: 1 },
        { code: 'slow_down', count: 1 },
      ],
    });
    expect(operations.readHistory?.refusedBy).toEqual({ rate: 2, concurrency: 0, daily: 1, unattributed: 2 });
    expect(operations.sendMessage?.refusedBy).toEqual({ rate: 0, concurrency: 1, daily: 0, unattributed: 0 });
  });

  it('are attributed by the profile’s error codes', () => {
    const profile = { errorCodes: { rate: ['slow_down'], concurrency: [], daily: [] } };
    const { refusals } = measured([header({ profile }), refused(0, 'slow_down'), refused(1, 'rate_limited')]).summary();
    expect(refusals.byLimit).toEqual({ rate: 1, concurrency: 0, daily: 0, unattributed: 1 });
  });

  it('keep at most 20 unknown codes', () => {
    const records = Array.from({ length: 50 }, (_, seq) =>
      refused(seq, `code-${String(seq).padStart(2, '0')}${'x'.repeat(100)}`),
    );
    const { unattributedCodes } = measured([header(), ...records]).summary().refusals;
    expect(unattributedCodes).toHaveLength(20);
    expect(unattributedCodes[19]?.code).toBe(`code-19${'x'.repeat(57)}`);
  });
});

describe('use of the limits', () => {
  /** 12:00:00 of the service at run time 0; one run second is one service minute. */
  const clock: JournalRecord = {
    kind: 'clock',
    at: us(0),
    serviceUs: us(1_795_262_400_000_000),
    plusMinusUs: us(0),
    rate: 60,
  };

  it('is counted per minute of the service’s clock', () => {
    const { serviceMinutes, run } = measured([
      header(),
      clock,
      exchange({ seq: 0, sentAt: us(0) }),
      exchange({ seq: 1, sentAt: us(999_999) }),
      exchange({ seq: 2, sentAt: us(999_999), status: 401 }),
      exchange({ seq: 3, sentAt: us(999_999), operation: 'issueToken', status: 201 }),
      refused(4, 'rate_limited', 999_999),
      refused(5, 'concurrency_limited', 999_999),
      exchange({ seq: 6, sentAt: us(2_000_000), outcome: 'failed', failure: 'ECONNRESET' }),
      exchange({ seq: 7, sentAt: us(3_000_000), status: 500 }),
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T12:00:00.000Z', admitted: 2, refused: 1 },
      { minute: '2026-11-21T12:03:00.000Z', admitted: 1, refused: 0 },
    ]);
    expect(run.serviceClock).toBe('recorded');
  });

  it('is counted on the service’s clock from the first request on, although only answers tell the time', () => {
    const told: JournalRecord = { ...clock, at: us(2_000), rate: 1 };
    const { serviceMinutes, fullestWindow } = measured([
      header({ startedAt: '2031-05-05T05:05:05.000Z' }),
      exchange({ seq: 0, sentAt: us(0) }),
      exchange({ seq: 1, sentAt: us(1_000) }),
      told,
      exchange({ seq: 2, sentAt: us(3_000) }),
    ]).summary();
    expect(serviceMinutes).toEqual([
      { minute: '2026-11-21T11:59:00.000Z', admitted: 2, refused: 0 },
      { minute: '2026-11-21T12:00:00.000Z', admitted: 1, refused: 0 },
    ]);
    expect(fullestWindow).toMatchObject({ start: '2026-11-21T11:59:00.000Z', admitted: 2 });
  });

  it('is counted like the limit: by its window and its scope', () => {
    const records = (scope: string, windowUs: number) => [
      header({
        limits: {
          rate: { max: 20, windowUs: us(windowUs), reading: 'unknown' },
          concurrency: { max: 2 },
          daily: { max: 50 },
        },
        profile: { limits: { rate: { scope }, concurrency: { scope: 'application' } } },
      }),
      clock,
      ...[0, 100_000, 200_000].map((sentAt, seq) => exchange({ seq, sentAt: us(sentAt), application: 'shop' })),
      ...[0, 400_000].map((sentAt, seq) => exchange({ seq: seq + 3, sentAt: us(sentAt), application: 'office' })),
      refused(5, 'rate_limited', 250_000),
      refused(6, 'concurrency_limited', 260_000),
    ];
    const fullest = (scope: string, windowUs: number) => measured(records(scope, windowUs)).summary().fullestWindow;
    const start = '2026-11-21T12:00:00.000Z';
    // Service seconds 0, 6 and 12 (and a refusal of a1 at 15) of one application, 0 and 24 of the other.
    expect(fullest('application', 60_000_000)).toEqual({
      of: 'shop',
      among: 3,
      start,
      windowUs: 60_000_000,
      admitted: 3,
      mostAsked: 3,
    });
    expect(fullest('application', 10_000_000)).toMatchObject({ of: 'shop', start, admitted: 2, mostAsked: 2 });
    expect(fullest('address', 60_000_000)).toMatchObject({ of: '', among: 1, admitted: 5, mostAsked: 7 });
    // Both applications have a user u1, and they are two.
    expect(fullest('user', 60_000_000)).toMatchObject({ of: 'shop/u1', among: 3, admitted: 3, mostAsked: 3 });
    expect(measured([header(), clock]).summary().fullestWindow).toBeUndefined();
  });

  it('counts days by the quota’s scope, including the warm-up', () => {
    const day = 86_400_000_000;
    const records = (scope: string) => [
      header({ warmUpUs: us(15), profile: { limits: { daily: { scope } } } }),
      clock,
      ...(['u1', 'u1', 'u2', 'u3'] as const).map((user, seq) =>
        accepted(seq, `t${seq}`, seq * 10, seq * 10 + 5, { application: 'shop', user }),
      ),
      accepted(4, 't4', day, day + 5, { application: 'shop', user: 'u3' }),
      accepted(5, 't5', 60, 65, { application: 'office', user: 'u1' }),
    ];
    const fullest = (scope: string) => measured(records(scope)).summary().fullestDay;
    const first = '2026-11-21';
    expect(fullest('application')).toEqual({ of: 'shop', among: 2, day: first, used: 4 });
    // The office has a user u1 as well, who is another one.
    expect(fullest('user')).toEqual({ of: 'shop/u1', among: 4, day: first, used: 2 });
    expect(measured([header(), clock]).summary().fullestDay).toBeUndefined();
  });

  it('reports the most open turns of one application', () => {
    const { turns } = measured([
      header(),
      accepted(0, 't0', 0, 10, { application: 'shop' }),
      accepted(1, 't1', 20, 30, { application: 'shop' }),
      accepted(2, 't2', 40, 50, { application: 'office' }),
    ]).summary();
    expect(turns.open).toEqual({
      maxCertain: 0,
      maxPossible: 3,
      fullest: { of: 'shop', among: 2, maxCertain: 0, maxPossible: 2 },
    });
    const perUser = header({ profile: { limits: { rate: {}, concurrency: { scope: 'user' } } } });
    const shared = [
      accepted(0, 't0', 0, 10, { application: 'shop' }),
      accepted(1, 't1', 20, 30, { application: 'office' }),
    ];
    expect(measured([perUser, ...shared]).summary().turns.open.fullest).toMatchObject({ among: 2, maxPossible: 1 });
  });

  it('counts a message as accepted if a 2xx answer names a turn', () => {
    const { messages, turns, operations } = measured([
      header(),
      accepted(0, 't1', 0, 500, { status: 200 }),
      exchange({
        seq: 1,
        operation: 'sendMessage',
        status: 200,
        bodyProblem: 'wrong-shape',
        message: { id: 'm', digest: 'd' },
      }),
      end({ exchanges: 2 }),
    ]).summary();
    expect(messages).toEqual({ attempts: 2, accepted: 1, newMessages: 1, replays: 0, unknown: 0 });
    expect(turns.accepted).toBe(1);
    expect(operations.sendMessage?.byOutcome).toMatchObject({ success: 0, error: 2 });
  });

  it('counts distinct new messages per day of the service, and replays separately', () => {
    const { dailyQuota, messages, run } = measured([
      header({ warmUpUs: us(10) }),
      clock,
      accepted(0, 't0', 0, 5),
      accepted(1, 't1', 100, 200),
      accepted(2, 't1', 300, 400, { resend: 'same' }),
      accepted(3, 't0', 500, 600, { resend: 'same' }),
      accepted(4, 't2', 700, 800, { message: { id: 'm-t1', digest: 'other' }, resend: 'other' }),
      accepted(5, 't3', 900, 950, { conversation: 'c2', message: { id: 'm-t1', digest: 'd-t1' } }),
      accepted(6, 't4', 1_000, 1_100, { application: 'a2' }),
      exchange({
        seq: 7,
        sentAt: us(1_200),
        operation: 'sendMessage',
        status: 422,
        message: { id: 'm9', digest: 'd9' },
      }),
      exchange({
        seq: 8,
        sentAt: us(1_300),
        operation: 'sendMessage',
        outcome: 'failed',
        failure: 'ECONNRESET',
        message: { id: 'm8', digest: 'd8' },
      }),
      exchange({
        seq: 10,
        sentAt: us(1_400),
        operation: 'sendMessage',
        outcome: 'failed',
        failure: 'ECONNREFUSED',
        bytes: { sent: 0, received: 0 },
        message: { id: 'm7', digest: 'd7' },
      }),
      // Answered when it was sent again: what became of it is known.
      exchange({
        seq: 11,
        sentAt: us(1_500),
        operation: 'sendMessage',
        outcome: 'failed',
        failure: 'ECONNRESET',
        conversation: 'c1',
        message: { id: 'm-t5', digest: 'd-t5' },
      }),
      // 12 hours of the service are 720 s of the run. It may have been charged with the lost attempt, the day before: nobody knows.
      accepted(9, 't5', 720_000_000, 720_000_001),
      accepted(12, 't6', 720_000_100, 720_000_101),
    ]).summary();
    expect(dailyQuota).toEqual([
      { day: '2026-11-21', application: 'a1', used: 4 },
      { day: '2026-11-21', application: 'a2', used: 1 },
      { day: '2026-11-22', application: 'a1', used: 1 },
    ]);
    expect(messages).toEqual({ attempts: 12, accepted: 8, newMessages: 6, replays: 2, unknown: 1 });
    expect(run.warmUp).toEqual({ exchanges: 1, newMessages: 1 });
  });

  it('assumes the generator’s clock if none is recorded', () => {
    const { dailyQuota, run } = measured([
      header({ startedAt: '2026-11-21T23:59:59.000Z' }),
      accepted(0, 't', 999_999, 1),
      accepted(1, 'u', 1_000_000, 1),
    ]).summary();
    expect(dailyQuota.map(({ day, used }) => [day, used])).toEqual([
      ['2026-11-21', 1],
      ['2026-11-22', 1],
    ]);
    expect(run.serviceClock).toBe('assumed');
  });
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

  it('of the warm-up are in no distribution, but still open ones count as open', () => {
    const { turns } = measured([header({ warmUpUs: us(2_000) }), ...records.slice(1)]).summary();
    expect(turns).toMatchObject({ accepted: 3, completed: 1, open: { maxCertain: 1, maxPossible: 2 } });
    expect(turns).not.toHaveProperty('completionByPoll');
  });
});

describe('the rest', () => {
  it.each([
    ['nothing checked', ['ask'], [], { checked: 0, neverChecked: true }],
    ['something checked', ['ask'], [exchange({ seq: 0, expect: { checked: 1, unmet: [] } })], { checked: 1 }],
    ['another journey begun', ['other'], [], { checked: 0 }],
    ['nothing expected', undefined, [], { checked: 0 }],
  ] as const)('says whether expectations of journeys were ever checked: %s', (_, expecting, sent, told) => {
    const journey = { arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(9), outcome: 'completed' } as const;
    const start = header(expecting && { expecting });
    expect(measured([start, ...sent, { kind: 'journey', ...journey }]).summary().expectations).toEqual({
      unmet: 0,
      examples: [],
      ...told,
    });
  });

  it('reports waits, drops, journeys and expectations', () => {
    const { capWaits, drops, journeys, expectations } = measured([
      header(),
      exchange({
        seq: 0,
        sentAt: us(50),
        capWaitUs: { inFlight: us(40), openTurns: us(5) },
        expect: { checked: 2, unmet: ['b', 'c'] },
      }),
      exchange({ seq: 1, sentAt: us(20), capWaitUs: { inFlight: us(10) }, expect: { checked: 1, unmet: ['a'] } }),
      {
        kind: 'stream',
        turn: 't',
        event: 'closed',
        at: us(70),
        expect: { checked: 1, unmet: ['d'] },
        handshake: { seq: 2, sentAt: us(60), intendedAt: us(60) },
      },
      { kind: 'drop', intendedAt: us(7), arrival: 2, journey: 'ask', reason: 'max-in-flight' },
      { kind: 'drop', intendedAt: us(8), arrival: 3, journey: 'ask', reason: 'stopped' },
      { kind: 'drop', intendedAt: us(9), arrival: 4, journey: 'ask', reason: 'stopped' },
      { kind: 'journey', arrival: 0, journey: 'ask', startedAt: us(0), endedAt: us(900), outcome: 'completed' },
      {
        kind: 'journey',
        arrival: 1,
        journey: 'ask',
        startedAt: us(0),
        endedAt: us(5),
        outcome: 'stopped',
        stoppedAt: { operation: 'readTurn', because: '500' },
      },
    ]).summary();
    expect(capWaits).toEqual({
      inFlight: { count: 2, totalUs: 50, maxUs: 40 },
      openTurns: { count: 1, totalUs: 5, maxUs: 5 },
    });
    expect(drops).toEqual({ total: 3, byReason: { 'max-in-flight': 1, stopped: 2 } });
    expect(journeys.ask).toMatchObject({
      byOutcome: { completed: 1, stopped: 1, interrupted: 0 },
      duration: { count: 1, maxUs: 900 },
      stoppedAt: [{ operation: 'readTurn', because: '500', count: 1 }],
    });
    expect(expectations).toEqual({
      checked: 4,
      unmet: 4,
      examples: [
        { seq: 1, operation: 'readHistory', sentence: 'a' },
        { seq: 0, operation: 'readHistory', sentence: 'b' },
        { seq: 0, operation: 'readHistory', sentence: 'c' },
        { seq: 2, operation: 'openStream', sentence: 'd' },
      ],
    });
  });

  it('names the worker of an exchange that did not meet an expectation, because each worker numbers its own', () => {
    const unmet = { checked: 1, unmet: ['a'] };
    const { expectations } = measured([
      header(),
      exchange({ seq: 4, worker: 0, sentAt: us(10), expect: unmet }),
      exchange({ seq: 4, worker: 2, sentAt: us(20), expect: unmet }),
    ]).summary();
    expect(expectations.examples).toEqual([
      { seq: 4, operation: 'readHistory', sentence: 'a' },
      { seq: 4, worker: 2, operation: 'readHistory', sentence: 'a' },
    ]);
  });

  it('reports the generator’s health', () => {
    const { health } = measured([
      header(),
      {
        kind: 'health',
        at: us(1_000_000),
        eventLoopP99Us: us(900),
        gcUs: us(3_000),
        backlog: 4,
        cpuUs: us(250_000),
        unasked: 2,
      },
      { kind: 'health', at: us(3_000_000), eventLoopP99Us: us(400), gcUs: us(1_000), backlog: 0, cpuUs: us(1_500_000) },
      exchange({ seq: 0, intendedAt: us(100), sentAt: us(180), capWaitUs: { inFlight: us(30), connection: us(10) } }),
      // Too short for a highest share.
      {
        kind: 'health',
        at: us(3_001_000),
        eventLoopP99Us: us(0),
        gcUs: us(0),
        backlog: 0,
        cpuUs: us(1_000),
        unasked: 1,
      },
      // Not the generator's fault: a poll behind a slow poll, a resend behind its elder; of a request behind its token, what it waited until then.
      poll(1, 't', 'queued', 90_000, 91_000, { intendedAt: us(1_000) }),
      exchange({ seq: 2, intendedAt: us(100), sentAt: us(8_000), resend: 'same' }),
      exchange({
        seq: 3,
        operation: 'issueToken',
        user: 'u2',
        intendedAt: us(500),
        sentAt: us(510),
        receivedAt: us(4_000),
        status: 201,
      }),
      exchange({ seq: 4, user: 'u2', intendedAt: us(500), sentAt: us(4_010) }),
      exchange({ seq: 5, user: 'u2', intendedAt: us(5_000), sentAt: us(5_020) }),
    ]).summary();
    expect(health).toMatchObject({
      intervals: 3,
      eventLoopP99MaxUs: 900,
      gcUs: 4_000,
      backlogMax: 4,
      cpuShareMax: 0.75,
      unasked: 3,
    });
    expect(health.cpuShareMean).toBeCloseTo(1.751 / 3.001, 12);
    expect(health.scheduleLag).toMatchObject({ count: 4, minUs: 10, maxUs: 40 });
  });

  it('reports no event-loop delay if the run ended before the first sample', () => {
    const run = measured([header(), { kind: 'health', at: us(9_000), gcUs: us(0), backlog: 0, cpuUs: us(4_000) }]);
    expect(run.summary().health).toEqual({ intervals: 1, gcUs: 0, backlogMax: 0, cpuShareMean: 4 / 9 });
    expect(run.intervals()[0]).not.toHaveProperty('eventLoopP99Us');
  });

  it('counts delays by noCatchUp as lag, because they result from earlier lateness', () => {
    const { health } = measured([
      header(),
      exchange({ seq: 0, intendedAt: us(0), sentAt: us(15_000) }),
      exchange({
        seq: 1,
        intendedAt: us(20_000),
        sentAt: us(36_000),
        capWaitUs: { pace: us(15_000), inFlight: us(900) },
      }),
    ]).summary();
    expect(health.scheduleLag).toMatchObject({ count: 2, minUs: 15_000, maxUs: 15_100 });
  });

  it('reports how late requests were for the latest token of their user, if they needed it', () => {
    const token = (seq: number, receivedAt: number) =>
      exchange({ seq, operation: 'issueToken', status: 201, sentAt: us(receivedAt - 10), receivedAt: us(receivedAt) });
    const { health } = measured([
      header(),
      token(0, 1_000),
      token(1, 90_000),
      exchange({ seq: 2, intendedAt: us(50_000), sentAt: us(90_300) }),
    ]).summary();
    expect(health.scheduleLag).toMatchObject({ count: 3, minUs: 0, maxUs: 300 });
  });

  it('reports no health of the warm-up, whose last interval ends with it', () => {
    const health = (at: number) => ({ kind: 'health', at: us(at), gcUs: us(at), backlog: 0, cpuUs: us(9) }) as const;
    const run = measured([header({ warmUpUs: us(2_000_000) }), ...[1_000_000, 2_000_000, 3_000_000].map(health)]);
    expect(run.summary().health).toMatchObject({ intervals: 1, gcUs: 3_000_000 });
  });

  it('reports what was run and how much of it is recorded', () => {
    const sent = (seq: number): JournalRecord => ({ kind: 'sent', seq, operation: 'readHistory', at: us(0) });
    const records = [
      header(),
      sent(0),
      exchange({ seq: 0, arrival: 4 }),
      exchange({ seq: 3, sentAt: us(500) }),
      sent(4),
    ];
    const broken = measured(records).summary();
    expect(broken.run).toMatchObject({
      runId: 'run-1',
      scenario: 'sample',
      seed: 7,
      target: 'sandbox',
      complete: false,
      incompleteBecause: 'no-end',
      durationUs: 1_500,
      arrivals: 2,
      exchanges: 2,
      inFlightAtEnd: 1,
      missingSeq: 2,
    });
    expect(
      measured([
        header(),
        exchange({ seq: 0, arrival: 200 }),
        exchange({ seq: 1, arrival: 200 }),
        { kind: 'drop', intendedAt: us(7), arrival: 3, journey: 'ask', reason: 'stopped', count: 9, lastArrival: 99 },
        { kind: 'drop', intendedAt: us(7), arrival: 4, journey: 'ask', reason: 'late' },
      ]).summary().run.arrivals,
    ).toBe(11);
    const left = (arrival: number): DropRecord => ({
      ...{ kind: 'drop', intendedAt: us(7), arrival, journey: 'ask', reason: 'stopped', count: 9 },
      lastArrival: arrival + 9,
    });
    const parts = [left(3), left(20)].map((drop) => measured([header(), drop]));
    parts[0]?.merge(parts[1] ?? measure());
    expect(parts[0]?.summary().run.arrivals).toBe(18);
    expect(broken.limits).toEqual({
      rate: { max: 20, windowUs: 60_000_000 },
      concurrency: { max: 2 },
      daily: { max: 50 },
    });
    const run = (members: Parameters<typeof end>[0]) =>
      measured([header(), exchange({ seq: 0 }), end(members)]).summary().run;
    expect(run({ exchanges: 1, arrivals: 9, at: us(7) })).toMatchObject({ complete: true, arrivals: 9, durationUs: 7 });
    expect(run({ exchanges: 1 })).not.toHaveProperty('incompleteBecause');
    expect(run({ exchanges: 2 })).toMatchObject({ complete: false, incompleteBecause: 'lines-lost' });
    const doubled = [header(), exchange({ seq: 0 }), exchange({ seq: 0 }), end({ exchanges: 2 })];
    expect(measured(doubled).summary().run).toMatchObject({ complete: false, incompleteBecause: 'lines-doubled' });
    expect(run({ exchanges: 1, complete: false, reason: 'interrupted' })).toMatchObject({
      incompleteBecause: 'interrupted',
    });
  });

  it('tells that journeys or streams are missing or doubled by the counts of the end, unless there are none', () => {
    const journey: JournalRecord = {
      kind: 'journey',
      arrival: 0,
      journey: 'ask',
      startedAt: us(0),
      endedAt: us(9),
      outcome: 'completed',
    };
    const opened: JournalRecord = { kind: 'stream', turn: 't', event: 'opened', at: us(5) };
    const because = (records: readonly JournalRecord[], members: Parameters<typeof end>[0]) =>
      measured([header(), ...records, end(members)]).summary().run.incompleteBecause;
    const counted = { arrivals: 2, drops: 1, streams: 1 };
    expect(because([journey, opened], counted)).toBeUndefined();
    expect(because([journey, opened], { ...counted, arrivals: 3 })).toBe('lines-lost');
    expect(because([journey, opened], { ...counted, streams: 2 })).toBe('lines-lost');
    expect(because([journey, journey, opened], counted)).toBe('lines-doubled');
    expect(because([journey, opened, opened], counted)).toBe('lines-doubled');
    expect(because([], counted)).toBeUndefined();
  });

  it('ends a history without an end at what came last, not at arrivals that were still to come', () => {
    const drop = (at: number, reason: DropRecord['reason']): DropRecord => ({
      kind: 'drop',
      intendedAt: us(at),
      arrival: at,
      journey: 'ask',
      reason,
    });
    const durationUs = (...drops: readonly DropRecord[]) =>
      measured([header(), exchange({ seq: 0, receivedAt: us(1_500) }), ...drops]).summary().run.durationUs;
    expect(durationUs(drop(3_600_000_000, 'stopped'), drop(3_600_000_001, 'deadline'))).toBe(1_500);
    expect(durationUs(drop(2_000, 'cap'))).toBe(2_000);
  });

  it('excludes a journey whose arrival was in the warm-up, however late it started', () => {
    const journey = { kind: 'journey', journey: 'ask', endedAt: us(9_000), outcome: 'completed' } as const;
    const { journeys } = measured([
      header({ warmUpUs: us(1_000) }),
      { ...journey, arrival: 0, intendedAt: us(999), startedAt: us(5_000) },
      { ...journey, arrival: 1, intendedAt: us(1_000), startedAt: us(5_000) },
      // As older histories have it.
      { ...journey, arrival: 2, startedAt: us(999) },
    ]).summary();
    expect(journeys.ask?.byOutcome.completed).toBe(1);
  });

  it('gives rows per second without gaps', () => {
    const rows = measured([
      header(),
      exchange({ seq: 0, sentAt: us(900_000), receivedAt: us(1_100_000), capWaitUs: { inFlight: us(7) } }),
      exchange({ seq: 1, sentAt: us(1_000_000), receivedAt: us(1_400_000), intendedAt: us(500_000) }),
      refused(2, 'daily_quota_exceeded', 3_000_000),
      accepted(3, 't', 1_900_000, 1_950_000),
      poll(4, 't', 'completed', 3_000_000, 3_100_000),
      { kind: 'health', at: us(2_000_000), eventLoopP99Us: us(9), gcUs: us(8), backlog: 1 },
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

  it('is plain data: a summary survives JSON', () => {
    const summary = measured([
      header(),
      exchange({ seq: 0 }),
      refused(1, undefined),
      accepted(2, 't', 10, 20),
    ]).summary();
    expect(JSON.parse(JSON.stringify(summary))).toStrictEqual(summary);
  });

  it('measures parts of a run separately and merges them', () => {
    const records = [
      exchange({ seq: 0 }),
      accepted(1, 't', 10, 20),
      poll(2, 't', 'queued', 25, 28),
      poll(3, 't', 'completed', 30, 40),
      end({ exchanges: 4 }),
    ];
    const one = measured([header(), ...records.filter((_, index) => index % 2 === 0)]);
    one.merge(measured([header(), ...records.filter((_, index) => index % 2 === 1)]));
    const whole = measured([header(), ...records]);
    expect(one.summary()).toEqual(whole.summary());
    expect(one.turns()).toEqual(whole.turns());
    expect(one.intervals()).toEqual(whole.intervals());
  });
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
