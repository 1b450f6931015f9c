import { expect, it } from 'vitest';
import { bearerOperationIds } from '../../api/index.ts';
import { accepted, end, exchange, header, us } from '../../testing/history/sample-records.ts';
import type { HonestService } from '../world/service.ts';
import { judgeHonest } from './accusations.ts';

/** Nothing was sent before it, so that no limiter refuses it. */
const refused = exchange({ seq: 0, outcome: 'refused', status: 429, error: { code: 'rate_limited' } });
const journal = [
  header({ exclusive: true, flushed: { rate: true, concurrency: true, daily: true } }),
  refused,
  end({ exchanges: 1 }),
];

const accused = (readings: readonly string[], scope: string): readonly string[] => {
  const rate = { readings, scope, counts: bearerOperationIds, countsReplays: true };
  const others = { readings: [], scope: 'application' };
  const service = { truth: { rate, concurrency: others, daily: others } } as Partial<HonestService> as HonestService;
  return judgeHonest(journal, service, false).accusations.map(({ of }) => of);
};

it('a refusal that not even the address of all explains accuses the true reading, whatever its scope', () => {
  const others = accused([], 'user');
  expect(others).not.toContain('refuted: rate sliding-log');
  expect(accused(['sliding-log'], 'user')).toEqual([...others, 'refuted: rate sliding-log']);
  expect(accused(['sliding-log'], 'address')).toEqual([...others, 'refuted: rate sliding-log']);
  expect(accused(['token-bucket'], 'user')).not.toContain('refuted: rate sliding-log');
});

it('messages that are too many for one token accuse the true day, where whole tokens are counted together', () => {
  const rate = { readings: [], scope: 'application', counts: bearerOperationIds, countsReplays: true };
  const none = { readings: [], scope: 'application' };
  const three = [0, 1, 2].map((seq) => accepted(seq, `t${seq}`, 10 * seq, 10 * seq + 5, { token: 't1' }));
  const records = [
    header({ limits: { ...header().limits, daily: { max: 2 } } }),
    {
      kind: 'clock',
      at: us(0),
      serviceUs: us(Date.UTC(2026, 10, 21, 12) * 1_000),
      plusMinusUs: us(0),
      rate: 1,
    } as const,
    ...three,
    end({ exchanges: 3 }),
  ];
  const accused = (scope: string) => {
    const truth = { rate, concurrency: none, daily: { readings: ['utc'], scope } };
    const service = { truth } as Partial<HonestService> as HonestService;
    return judgeHonest(records, service, false).accusations.map(({ of }) => of);
  };
  for (const scope of ['token', 'user', 'application', 'address'])
    expect(accused(scope)).toContain('refuted: daily utc');
  expect(accused('conversation')).not.toContain('refuted: daily utc');
});
