import { expect, it } from 'vitest';
import { TargetProfileSchema } from '../api/index.ts';
import type { Price } from './price.ts';
import { budgetProblems, manyTimes } from './spending.ts';

const between = (low: number, high: number) => ({ low, high });

/** Every number is another one. */
const price: Price = {
  whole: true,
  durationUs: between(1, 2),
  arrivals: between(3, 4),
  tokens: between(5, 6),
  requests: between(7, 8),
  polls: between(9, 10),
  messages: between(11, 12),
  busiestMinute: between(13, 14),
  openTurns: between(15, 16),
  newMessages: between(17, 18),
  dailyUse: between(19, 20),
  dayIsKnown: true,
  refused: { rate: between(21, 22), concurrency: between(23, 24), daily: between(25, 26) },
  drops: between(27, 28),
  most: { requests: 29, messages: 30, newMessages: 31, dailyUse: 32 },
};

it('several rounds cost as often what is spent, and no more at once', () => {
  expect(manyTimes(price, 3)).toEqual({
    ...price,
    tokens: between(15, 18),
    requests: between(21, 24),
    polls: between(27, 30),
    messages: between(33, 36),
    newMessages: between(51, 54),
    dailyUse: between(57, 60),
    most: { requests: 87, messages: 90, newMessages: 93, dailyUse: 96 },
  });
});

it('a plan too long to predict that needs all of a budget may exceed it; one that surely exceeds it says by how much', () => {
  const problemsOf = (budget: { requests?: number; messages?: number }) =>
    budgetProblems({ ...price, whole: false }, { ...TargetProfileSchema.parse({}), budget }).map(
      ({ message }) => message,
    );
  expect(problemsOf({ requests: 29, messages: 29 })).toEqual([
    'the plan is too long to predict whether it stays within the budget of 29 requests',
    'the plan may send at least 30 messages, the budget is 29',
  ]);
  expect(problemsOf({})).toEqual([]);
});
