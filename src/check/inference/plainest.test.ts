import { expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { exchange, us } from '../../testing/history/sample-records.ts';
import { journal, moments, rateOf, refusal } from '../rate-histories.exam.ts';

/** Twenty at once, the request for the token among them, and one refused: a limit that counts everything of the application. */
const everythingCounted = (profile: object) => {
  const labels = { token: 't1', conversation: 'c1' };
  const first = exchange({ seq: 0, ...moments(0), operation: 'issueToken', status: 201 });
  const reads = Array.from({ length: 19 }, (_, i) => exchange({ seq: i + 1, ...moments(100 + i), ...labels }));
  const records = [first, ...reads, { ...refusal(20, 5_000_000), ...labels }];
  return rateOf(
    journal(records, {
      profile: TargetProfileSchema.parse(profile),
      clock: { driftPpm: 0, granularityUs: us(0), maxServerDelayUs: us(0) },
    }),
  );
};

it('a reading is told of the declared scope if it explains everything there, though with other requests counted', () => {
  const { verdict, inference } = everythingCounted({
    errorCodes: { known: true },
    limits: { rate: { scope: 'application' } },
  });
  expect(verdict).toBe('consistent');
  expect(inference?.possible.map(({ scope, counts }) => [scope, counts])).toContainEqual(['application', 'all']);
  expect(inference?.possible.map(({ scope }) => scope)).not.toContain('conversation');
  expect(inference?.behaves).toContain(
    'a sliding log of 20 per 60 s per application, refused requests not counted (counting all requests)',
  );
  expect(inference?.possible[0]?.parameters?.max).toEqual({ from: 20, to: 20 });
});
