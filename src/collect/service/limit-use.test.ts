import { describe, expect, it } from 'vitest';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import { minuteASecond as clock } from '../minute-a-second.exam.ts';

describe('use of the limits', () => {
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

  it('takes messages of two users for two, also under one id in conversations of one name, which clients may choose', () => {
    const message = { id: 'm', digest: 'd' };
    const { messages, dailyQuota, fullestDay } = measured([
      header(),
      clock,
      accepted(0, 't0', 0, 5, { message, user: 'u1' }),
      accepted(1, 't1', 10, 15, { message, user: 'u2' }),
      accepted(2, 't1', 20, 25, { message, user: 'u2', resend: 'same' }),
    ]).summary();
    expect(messages).toEqual({ attempts: 3, accepted: 3, newMessages: 2, replays: 1, unknown: 0 });
    expect(dailyQuota).toEqual([{ day: '2026-11-21', application: 'a1', used: 2 }]);
    expect(fullestDay?.used).toBe(2);
  });

  it('tells of each message the attempt that was sent first, in the order of sending; at equal instants by worker and number', () => {
    const perToken = header({ profile: { limits: { daily: { scope: 'token' } } } });
    const sends = [
      accepted(0, 't0', 700, 800, { token: 'k1' }),
      accepted(6, 't1', 500, 900, { token: 'k2', resend: 'same', worker: 2 }),
      accepted(7, 't1', 500, 950, { token: 'k1', resend: 'same', worker: 1 }),
      accepted(5, 't1', 500, 990, { token: 'k3', resend: 'same', worker: 2 }),
      accepted(1, 't2', 500, 600, { token: 'k1', worker: 1 }),
    ];
    for (const records of [sends, [...sends].reverse()]) {
      const run = measured([perToken, clock, ...records]);
      const told = run.acceptedMessages().map(({ message, worker, seq, token }) => [message, worker, seq, token]);
      expect(told).toEqual([
        ['m-t2', 1, 1, 'k1'],
        ['m-t1', 1, 7, 'k1'],
        ['m-t0', undefined, 0, 'k1'],
      ]);
      expect(run.summary().fullestDay).toMatchObject({ of: 'k1', among: 1, used: 3 });
    }
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
        seq: 13,
        sentAt: us(1_350),
        operation: 'sendMessage',
        outcome: 'censored',
        failure: 'deadline',
        message: { id: 'm6', digest: 'd6' },
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
    expect(messages).toEqual({ attempts: 13, accepted: 8, newMessages: 6, replays: 2, unknown: 2 });
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

it('messages that are recorded without identifiers count one by one, also those of two workers', () => {
  const { messages, fullestDay } = measured([
    header(),
    ...[0, 1].flatMap((seq) =>
      [undefined, 1].map((worker) => {
        const { message: _, ...sent } = accepted(seq, `t${seq}-${worker}`, 0, 10, worker ? { worker } : {});
        return sent;
      }),
    ),
  ]).summary();
  expect(messages).toMatchObject({ attempts: 4, accepted: 4, newMessages: 4, replays: 0 });
  expect(fullestDay).toMatchObject({ used: 4 });
});
