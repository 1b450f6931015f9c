import { expect, it } from 'vitest';
import type { OperationId } from '../../api/index.ts';
import { profileWords } from './profile-words.ts';

const usual = profileWords(undefined);

it('the words of a profile that nobody can read are those of the specification', () => {
  for (const unreadable of [null, 7, 'sandbox', [], {}]) expect(profileWords(unreadable)).toEqual(usual);
  expect(usual).not.toHaveProperty('name');
  expect(usual.success).toEqual({
    issueToken: [201, 200],
    createConversation: [201],
    sendMessage: [202],
    readTurn: [200],
    openStream: [101],
    readHistory: [200],
    rateAnswer: [200, 201],
  } satisfies Record<OperationId, readonly number[]>);
  expect(usual.turns.staleUs).toBe(0);
});

it('a member that cannot be read gets the word of the specification, and no other does', () => {
  const profile = {
    name: 7,
    errorCodes: { rate: 'slow', concurrency: ['busy'], daily: ['spent'], known: 'yes' },
    turns: { open: ['waiting'], queued: 'waiting', completed: 7, failed: ['broken'], staleFor: 1.5 },
    success: { readTurn: [200, 203] },
    limitOrder: ['daily', 'rate', 'concurrency'],
    limits: { rate: { scope: 'user', counts: 'all' }, concurrency: { scope: 'planet' }, daily: { scope: 'token' } },
  };
  const words = profileWords(profile);
  expect(words).toEqual({
    errorCodes: { rate: usual.errorCodes.rate, concurrency: ['busy'], daily: ['spent'], known: false },
    // What may be any status proves nothing.
    turns: { ...usual.turns, open: ['waiting'], queued: [], failed: ['broken'], staleUs: 1_500 },
    success: { ...usual.success, readTurn: [200, 203] },
    rateCounts: usual.rateCounts,
    afterRate: ['concurrency'],
    scopes: { rate: 'user', concurrency: usual.scopes.concurrency, daily: 'token' },
  });
  expect(profileWords(profile)).toBe(words);
  expect(profileWords({ name: 'shop' })).toEqual({ ...usual, name: 'shop' });
});
