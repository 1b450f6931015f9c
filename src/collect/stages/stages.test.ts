import { describe, expect, it } from 'vitest';
import type { JourneyRecord } from '../../history/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { measured } from '../../testing/measured.ts';
import { measure } from '../measure.ts';
import { refused } from '../refused.exam.ts';
import { warmUpOnly } from '../sample-run.exam.ts';
import type { StageSummary } from '../summary.ts';

const stages = ['first', 'second', 'third'].map((name, index) => ({
  name,
  fromUs: us(index * 1_000_000),
  toUs: us((index + 1) * 1_000_000),
  arrivalsPerMinute: { from: 60, to: 60 },
}));

const journey = (arrival: number, at: number, endedAt: number, outcome: JourneyRecord['outcome']): JourneyRecord => ({
  kind: 'journey',
  arrival,
  journey: 'ask',
  intendedAt: us(at),
  startedAt: us(at),
  endedAt: us(endedAt),
  outcome,
});

describe('a stage', () => {
  it('has shares of what was sent in it, and none if nothing was', () => {
    const expected = { checked: 1, unmet: [], namedStatus: true } as const;
    const [first, second, third] =
      measured([
        header({ stages }),
        exchange({ seq: 0 }),
        refused(1, 'rate_limited'),
        exchange({ seq: 2, status: 500 }),
        exchange({ seq: 3, status: 404, expect: expected }),
        exchange({ seq: 4, sentAt: us(1_000_000) }),
        end({ at: us(3_000_000), exchanges: 5 }),
      ]).summary().stages ?? [];
    expect(first).toMatchObject({ exchanges: 4, refusedShare: 0.25, failedShare: 0.25, expectedErrors: 1 });
    expect(second).toMatchObject({ exchanges: 1, refusedShare: 0, failedShare: 0 });
    expect(second).not.toHaveProperty('expectedErrors');
    expect(third).toMatchObject({ exchanges: 0, perMinute: { completedJourneys: 0, successes: 0 } });
    for (const name of ['refusedShare', 'failedShare', 'latency']) expect(third).not.toHaveProperty(name);
  });

  it('achieves per minute what ended in it, whichever stage it began in, and counts the rest where it began', () => {
    const queued = (seq: number, intendedAt: number, receivedAt: number) => [
      exchange({ seq, intendedAt: us(intendedAt), sentAt: us(receivedAt - 1), receivedAt: us(receivedAt) }),
      journey(seq, intendedAt, receivedAt, 'completed'),
    ];
    const told =
      measured([
        header({ stages }),
        ...queued(0, 0, 999_999),
        ...queued(1, 500_000, 1_000_000),
        ...queued(2, 600_000, 1_500_000),
        ...queued(3, 1_200_000, 2_100_000),
        journey(4, 1_200_000, 1_300_000, 'interrupted'),
        ...queued(5, 2_900_000, 3_000_000),
        exchange({ seq: 6, intendedAt: us(1_200_000), receivedAt: us(1_300_000), status: 500 }),
        end({ at: us(4_000_000), exchanges: 6 }),
      ]).summary().stages ?? [];
    expect(told.map(({ journeys }) => journeys.completed)).toEqual([3, 1, 1]);
    expect(told.map(({ byOutcome }) => byOutcome.success)).toEqual([3, 1, 1]);
    const perMinute = [1, 2, 1].map((ended) => ({ completedJourneys: ended * 60, successes: ended * 60 }));
    expect(told.map((stage) => stage.perMinute)).toEqual(perMinute);
  });

  it('of which more than a twentieth left after its end, as the generator stood still, is undecided', () => {
    const sent = (late: number) =>
      Array.from({ length: 20 }, (_, seq) => {
        const intendedAt = us(seq < late ? 950_000 : seq * 40_000);
        const sentAt = us(seq < late ? 1_200_000 : intendedAt);
        return [
          exchange({ seq, intendedAt, sentAt, receivedAt: us(sentAt + 1_000) }),
          journey(seq, intendedAt, sentAt + 1_000, 'completed'),
        ];
      }).flat();
    const first = (late: number) =>
      measured([header({ stages }), ...sent(late), end({ at: us(3_000_000), exchanges: 20 })]).summary().stages?.[0];
    expect([first(2)?.state, first(2)?.sentLate]).toEqual(['untold', 2]);
    expect([first(1)?.state, first(1)?.sentLate]).toEqual(['held', 1]);
    expect([first(0)?.state, first(0)?.sentLate]).toEqual(['held', undefined]);
  });

  it('achieves what ended after the warm-up, even if it began before; else nothing of the warm-up is in it', () => {
    const [first, ...others] = warmUpOnly;
    if (!first) throw new TypeError('no header');
    const [told, untold] = [others, []].map(
      (records) => measured([first, ...records, end({ at: us(4_000_000), exchanges: 6 })]).summary().stages ?? [],
    );
    const without = (all: readonly StageSummary[] = []) => all.map(({ perMinute: _, ...rest }) => rest);
    expect(without(told)).toEqual(without(untold));
    // A success is received 1 ms after the end of the warm-up, in the half of a second that is measured; a journey ends at 2 s.
    expect(told?.map(({ perMinute }) => perMinute)).toEqual([
      { completedJourneys: 0, successes: 120 },
      { completedJourneys: 60, successes: 0 },
      { completedJourneys: 0, successes: 0 },
    ]);
  });

  it('has the times of all workers', () => {
    const [one, other] = [1_000, 3_000].map((took, worker) => {
      const part = measure();
      part.add(header({ stages }));
      part.add(exchange({ seq: 0, worker, sentAt: us(500), intendedAt: us(0), receivedAt: us(500 + took) }));
      return part;
    });
    if (!one || !other) throw new TypeError('no parts');
    one.merge(other);
    expect(one.summary().stages?.[0]).toMatchObject({
      exchanges: 2,
      latency: {
        service: { count: 2, minUs: 1_000, meanUs: 2_000, maxUs: 3_000 },
        response: { count: 2, minUs: 1_500, meanUs: 2_500, maxUs: 3_500 },
      },
    });
  });
});

it('a rise ends where users take the place of arrivals, or the other way round', () => {
  const loads = [{ rate: 60 }, { rate: 120 }, { users: 2 }, { users: 3 }, { users: 4 }, { rate: 60 }];
  const changing = loads.map(({ rate, users }, index) => ({
    name: `s${index}`,
    fromUs: us(index * 1_000_000),
    toUs: us((index + 1) * 1_000_000),
    ...(rate !== undefined && { arrivalsPerMinute: { from: rate, to: rate } }),
    ...(users !== undefined && { users: { from: users, to: users } }),
  }));
  const { knee } = measured([
    header({ stages: changing }),
    refused(0, 'rate_limited', 3_000_000),
    end({ at: us(6_000_000), exchanges: 1 }),
  ]).summary();
  expect(knee).toMatchObject({ from: 's2', to: 's4', gaveIn: 's3', untold: ['s2'] });
});
