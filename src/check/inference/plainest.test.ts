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

it('is told of the widest buckets in which it explains everything, with a word that those as declared do not', () => {
  // Three users, each with 20 at once, and one more of the first.
  const labels = (user: number) => ({ user: `u${user}`, token: `t${user}`, conversation: `c${user}` });
  const reads = Array.from({ length: 60 }, (_, i) => exchange({ seq: i, ...moments(i), ...labels(i % 3) }));
  const records = [...reads, { ...refusal(60, 5_000_000), ...labels(0) }];
  const told = (rate: object) =>
    rateOf(journal(records, { profile: TargetProfileSchema.parse({ errorCodes: { known: true }, limits: { rate } }) }));
  const { verdict, inference } = told({ scope: 'application' });
  expect(verdict).toBe('consistent');
  expect(new Set(inference?.possible.map(({ scope }) => scope))).toEqual(new Set(['user']));
  expect(inference?.behaves).toMatch(
    /explain it: a sliding log of 20 per 60 s per user, .*; counted per application, no known reading with the declared numbers does \(if that is the scope, write scope: application and scopeKnown: true in the profile\)$/,
  );
  expect(told({ scope: 'application', scopeKnown: true })).toMatchObject({ verdict: 'violated' });
  expect(told({ scope: 'user' }).inference?.behaves).not.toContain('; counted per');
});
