import { expect, it } from 'vitest';
import { bearerOperationIds } from '../../api/index.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
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
