import { describe, expect, it } from 'vitest';
import { exchange, header, poll, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';

describe('a measurement', () => {
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
      {
        kind: 'health',
        at: us(3_000_000),
        eventLoopP99Us: us(400),
        gcUs: us(1_000),
        gcMaxUs: us(700),
        backlog: 0,
        connectionQueue: 9,
        cpuUs: us(1_500_000),
      },
      exchange({ seq: 0, intendedAt: us(100), sentAt: us(180), capWaitUs: { inFlight: us(30), connection: us(10) } }),
      // Too short for a highest share.
      {
        kind: 'health',
        at: us(3_001_000),
        eventLoopP99Us: us(0),
        gcUs: us(0),
        backlog: 0,
        gcMaxUs: us(0),
        connectionQueue: 2,
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
      gcMaxUs: 700,
      backlogMax: 4,
      connectionQueueMax: 9,
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
    expect(measured([header()]).summary().health).toEqual({ intervals: 0 });
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

  it('counts the lateness of a request that was on its way when its user got the next token', () => {
    const token = (seq: number, receivedAt: number) =>
      exchange({
        seq,
        operation: 'issueToken',
        status: 201,
        intendedAt: us(receivedAt - 10),
        sentAt: us(receivedAt - 10),
        receivedAt: us(receivedAt),
      });
    const { health } = measured([
      header(),
      token(0, 1_000),
      token(1, 30_000),
      token(3, 120_000),
      // The second token came at 30 ms, the third after the request was sent.
      exchange({ seq: 2, intendedAt: us(20_000), sentAt: us(80_000), receivedAt: us(150_000) }),
      exchange({ seq: 4, intendedAt: us(40_000), sentAt: us(110_000), receivedAt: us(160_000) }),
    ]).summary();
    expect(health.scheduleLag).toMatchObject({ count: 5, minUs: 0, meanUs: 24_000, maxUs: 70_000 });
  });

  it('remembers a bounded number of tokens, and does not guess the lateness of a request that was on its way during more', () => {
    const token = (seq: number, at: number) =>
      exchange({ seq, operation: 'issueToken', status: 201, intendedAt: us(at), sentAt: us(at), receivedAt: us(at) });
    const late = { intendedAt: us(500), sentAt: us(900), receivedAt: us(99_000) };
    const lagAfter = (tokens: number) =>
      measured([
        header(),
        ...Array.from({ length: tokens }, (_, seq) => token(seq, 1_000 * seq)),
        exchange({ seq: tokens, ...late }),
      ]).summary().health.scheduleLag;
    expect(lagAfter(16)).toMatchObject({ count: 17, maxUs: 400 });
    expect(lagAfter(17)).toMatchObject({ count: 17, maxUs: 0 });
  });

  it('takes no failed request for a token for an issued one', () => {
    const token = (seq: number, status: number, receivedAt: number) =>
      exchange({ seq, operation: 'issueToken', status, intendedAt: us(0), sentAt: us(0), receivedAt: us(receivedAt) });
    const { health } = measured([
      header(),
      token(0, 201, 10_000),
      token(1, 503, 70_000),
      exchange({ seq: 2, intendedAt: us(20_000), sentAt: us(80_000), receivedAt: us(90_000) }),
    ]).summary();
    expect(health.scheduleLag).toMatchObject({ count: 3, minUs: 0, maxUs: 60_000 });
  });

  it('reports no health of the warm-up, whose last interval ends with it', () => {
    const health = (at: number) => ({ kind: 'health', at: us(at), gcUs: us(at), backlog: 0, cpuUs: us(9) }) as const;
    const run = measured([header({ warmUpUs: us(2_000_000) }), ...[1_000_000, 2_000_000, 3_000_000].map(health)]);
    expect(run.summary().health).toMatchObject({ intervals: 1, gcUs: 3_000_000 });
  });
});

describe('the lag of a request', () => {
  const issued = (sentAt: number) => [
    exchange({ seq: 0, operation: 'issueToken', status: 201, sentAt: us(100), receivedAt: us(5_000) }),
    exchange({ seq: 1, intendedAt: us(100), sentAt: us(sentAt) }),
  ];
  it.each([
    [5_000, 0],
    [5_040, 40],
  ])('whose token came at 5,000 µs and which left at %i µs is %i µs', (sentAt, lag) => {
    const { scheduleLag } = measured([header(), ...issued(sentAt)]).summary().health;
    expect(scheduleLag).toMatchObject({ count: 2, maxUs: lag });
  });
});

it('of workers that are equally late the first is the worst', () => {
  const late = [10, 2].map((worker) => exchange({ seq: 0, worker, intendedAt: us(0), sentAt: us(70) }));
  const { workers, worstLag } = measured([header(), ...late]).summary().health;
  expect([workers, worstLag?.worker, worstLag?.scheduleLag.meanUs]).toEqual([2, 2, 70]);
});
