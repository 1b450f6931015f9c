import { describe, expect, it } from 'vitest';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { measured } from '../testing/measured.ts';
import { measure } from './measure.ts';
import { refused } from './refused.exam.ts';

const stages = ['first', 'second', 'third'].map((name, index) => ({
  name,
  fromUs: us(index * 1_000_000),
  toUs: us((index + 1) * 1_000_000),
  arrivalsPerMinute: { from: 60, to: 60 },
}));

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

  it('counts as successes per minute those that were intended before its planned end', () => {
    const [, , last] =
      measured([
        header({ stages }),
        exchange({ seq: 0, sentAt: us(2_000_000) }),
        exchange({ seq: 1, intendedAt: us(2_999_999) }),
        exchange({ seq: 2, intendedAt: us(3_000_000) }),
        end({ at: us(4_000_000), exchanges: 3 }),
      ]).summary().stages ?? [];
    expect(last).toMatchObject({ exchanges: 3, byOutcome: { success: 3 }, perMinute: { successes: 120 } });
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
