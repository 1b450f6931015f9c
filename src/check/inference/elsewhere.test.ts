import { expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { exchange } from '../../testing/history/sample-records.ts';
import { journal, moments, rateOf, refusal } from '../rate-histories.exam.ts';

/** Three a conversation at once, and one more of it: a bucket of three for each, as of middlewares that count by path. */
function threeAConversation(rate: object) {
  const records = Array.from({ length: 6 }, (_, c) => {
    const labels = { token: 't1', conversation: `c${c}` };
    const seq = c * 4;
    const at = c * 500_000;
    const reads = [0, 1, 2].map((i) => exchange({ seq: seq + i, ...moments(at + i * 1_000), ...labels }));
    return [...reads, { ...refusal(seq + 3, at + 10_000), ...labels }];
  });
  const flushed = { rate: true, concurrency: false, daily: false };
  const profile = TargetProfileSchema.parse({
    errorCodes: { known: true },
    exclusive: true,
    flushed,
    limits: { rate },
  });
  return rateOf(journal(records.flat(), { profile, exclusive: true, flushed }));
}

it('that no known limit fits says of which buckets other numbers were not tried, unless the scope is certain', () => {
  const { verdict, inference } = threeAConversation({ scope: 'application' });
  expect(verdict).toBe('violated');
  expect(inference?.possible).toEqual([]);
  expect(inference?.behaves).toBe(
    'behaves as no known limit; other numbers were tried as counted per application alone (if the scope is another, write it in the profile, with scopeKnown: true)',
  );
  const known = threeAConversation({ scope: 'application', scopeKnown: true });
  expect(known.inference?.behaves).toBe('behaves as no known limit');
  const told = threeAConversation({ scope: 'conversation', scopeKnown: true });
  expect(told.inference?.behaves).toMatch(/explain it: a sliding log of 3 per 60 s per conversation, /);
});
