import { describe, expect, it } from 'vitest';
import { budgetMemory, budgetOf } from './budget.ts';

describe('a budget', () => {
  it('lets so many requests pass, and messages of these, and says once what is spent', () => {
    const spent: string[] = [];
    const budget = budgetOf({ requests: 4, messages: 1 }, budgetMemory(), (what) => spent.push(what));
    const taken = (['issueToken', 'sendMessage', 'sendMessage', 'readTurn', 'readTurn', 'readTurn'] as const).map(
      (operation) => budget?.take(operation),
    );
    // A message that is held back counts for nothing.
    expect(taken).toEqual([true, true, false, true, true, false]);
    expect(spent).toEqual(['messages']);
  });

  it('is kept together by all who share its memory', () => {
    const memory = budgetMemory();
    const spent: number[] = [];
    const sides = [1, 2].map((side) => budgetOf({ requests: 3 }, memory, () => spent.push(side)));
    expect([0, 1, 0, 1, 0].map((side) => sides[side]?.take('readHistory'))).toEqual([true, true, true, false, false]);
    expect(spent).toEqual([2, 1]);
  });

  it('is none where nothing is limited', () => {
    expect(budgetOf({}, budgetMemory(), () => undefined)).toBe(undefined);
    expect(budgetOf({ messages: 0 }, budgetMemory(), () => undefined)?.take('sendMessage')).toBe(false);
  });
});
