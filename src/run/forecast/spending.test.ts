import { describe, expect, it } from 'vitest';
import { TargetProfileSchema } from '../../api/index.ts';
import { ConfigurationError } from '../../base/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import type { Price } from './price.ts';
import { renderPrice } from './price-text.ts';
import { type Input, noon, once, plans, say, start } from './priced-plans.exam.ts';
import { budgetProblems, checkBudget, manyTimes, spendsMuch, whatItSpends } from './spending.ts';

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
  ifFast: { whole: true, requests: 33, messages: 34, newMessages: 35, dailyUse: 36 },
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
    ifFast: { whole: true, requests: 99, messages: 102, newMessages: 105, dailyUse: 108 },
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

describe('budgets and confirmation', () => {
  const price = (requests: number, tokens: number, messages: number, dailyUse: number): Price => {
    const exactly = (value: number) => ({ low: value, high: value });
    const nothing = exactly(0);
    return {
      whole: true,
      durationUs: nothing,
      arrivals: nothing,
      tokens: exactly(tokens),
      requests: exactly(requests),
      polls: nothing,
      messages: exactly(messages),
      busiestMinute: nothing,
      openTurns: nothing,
      newMessages: exactly(dailyUse),
      dailyUse: exactly(dailyUse),
      dayIsKnown: true,
      refused: { rate: nothing, concurrency: nothing, daily: nothing },
      drops: nothing,
      most: { requests: requests + tokens, messages, newMessages: dailyUse, dailyUse },
    };
  };
  const withBudget = (budget: { requests?: number; messages?: number }) => ({
    ...loadedFrom({ ...plans['stays below every limit'] } as Input).profile,
    budget,
  });

  it.each([
    { budget: {}, problems: 0 },
    { budget: { requests: 12 }, problems: 0 },
    { budget: { requests: 11 }, problems: 1 },
    { budget: { messages: 3 }, problems: 0 },
    { budget: { messages: 2 }, problems: 1 },
    { budget: { requests: 11, messages: 2 }, problems: 2 },
  ])('10 requests, 2 tokens and 3 messages against $budget: $problems problems', ({ budget, problems }) => {
    const check = () => checkBudget(price(10, 2, 3, 3), withBudget(budget));
    if (problems === 0) return expect(check).not.toThrow();
    expect(check).toThrow(ConfigurationError);
    try {
      check();
    } catch (error) {
      expect((error as ConfigurationError).problems).toHaveLength(problems);
    }
  });

  it('a plan that is too long to predict is refused if there is a budget, and always needs confirmation', () => {
    const cut = { ...price(10, 2, 3, 3), whole: false };
    expect(() => checkBudget(cut, withBudget({}))).not.toThrow();
    expect(() => checkBudget(cut, withBudget({ requests: 1_000_000, messages: 1_000 }))).toThrow(
      /budget of 1,000,000 requests.*\n.*budget of 1,000 messages/,
    );
    expect(() => checkBudget(cut, withBudget({ messages: 2 }))).toThrow('may send at least 3 messages');
    expect(spendsMuch(cut, withBudget({}))).toBe(true);
  });

  it('the budget assumes a service that refuses nothing, since the run is to find out whether it does', async () => {
    const input: Input = {
      journeys: { a: { onRefused: 'continue', steps: [start, say] } },
      load: { model: 'constant-rate', rate: '10/s', duration: '5s' },
    };
    const { price: ours } = await planScenario(loadedFrom(input), { embedded: false, now: noon });
    expect(ours.requests.high + ours.tokens.high).toBeLessThan(101);
    expect(ours.most).toEqual({ requests: 101, messages: 50, newMessages: 50, dailyUse: 50 });
    expect(() => checkBudget(ours, withBudget({ requests: 100, messages: 49 }))).toThrow(
      /send 101 requests(.|\n)*send 50 messages/,
    );
    expect(() => checkBudget(ours, withBudget({ requests: 101, messages: 50 }))).not.toThrow();
    expect(spendsMuch(ours, withBudget({}))).toBe(true);
    expect(renderPrice(ours, loadedFrom(input).profile.limits)).toContain(
      'unrefused    101 requests and 50 new messages, if the service refuses nothing\n',
    );
  });

  it('users who go on for a time send more to a fast service, and are to be confirmed for it', async () => {
    const timed = { model: 'closed-users', users: 2, duration: '1s' } as const;
    const input = (load: Input['load']): Input => ({
      journeys: { a: { onRefused: 'continue', steps: [start, say] } },
      load,
    });
    const pricedAt = async (load: Input['load'], embedded = false) =>
      (await planScenario(loadedFrom(input(load)), { embedded, now: noon })).price;
    const ours = await pricedAt(timed);
    // A request takes 100 ms: five journeys of two requests each. At 2 ms there are 250.
    expect(ours.most).toEqual({ requests: 21, messages: 10, newMessages: 10, dailyUse: 10 });
    expect(ours.ifFast).toEqual({ whole: true, requests: 1_001, messages: 500, newMessages: 500, dailyUse: 500 });
    const profile = withBudget({ messages: 10 });
    expect(renderPrice(ours, profile.limits)).toContain(
      'if fast      up to 1,001 requests and 500 new messages, if it refuses nothing and answers in 2.0 ms instead of 100 ms\n',
    );
    expect([spendsMuch(ours, profile), whatItSpends(ours, profile)]).toEqual([
      true,
      "this may use all of the day's 50 new messages: it sends up to 500",
    ]);
    // The budget ends the run, however fast the service is.
    expect(() => checkBudget(ours, profile)).not.toThrow();
    const long = await pricedAt({ ...timed, duration: '60s' });
    expect(long.ifFast?.whole).toBe(false);
    expect(renderPrice(long, profile.limits)).toContain('if fast      at least 20,0');
    expect(whatItSpends(long, profile)).toMatch(
      /^this may use all of the day's 50 new messages: it sends 10,0\d\d or more$/,
    );
    const counted = { model: 'per-user-iterations', users: 2, iterations: 3 } as const;
    for (const unaffected of [
      await pricedAt(counted),
      await pricedAt(timed, true),
      await pricedAt({ ...once, count: 2 }),
    ])
      expect(unaffected.ifFast).toBeUndefined();
  });

  it('so do journeys that the deadline of the run ends, and only those', async () => {
    const journeys = { a: { steps: [start, { repeat: { times: 30, steps: [say] } }] } };
    for (const load of [once, { model: 'shared-iterations', users: 1, iterations: 1 }] as const) {
      const pricedBy = async (deadline: string) =>
        (await planScenario(loadedFrom({ journeys, load, deadline }), { embedded: false, now: noon })).price;
      expect(await pricedBy('2s')).toMatchObject({ most: { newMessages: 18 }, ifFast: { newMessages: 30 } });
      expect(await pricedBy('10s')).not.toHaveProperty('ifFast');
    }
  });

  it('a plan of which it is unknown how many messages a fast service gets needs confirmation, unless it sends none', () => {
    const cutAfter = (newMessages: number) => ({
      ...price(10, 2, 3, 3),
      ifFast: { whole: false, requests: 20_000, messages: newMessages, newMessages, dailyUse: newMessages },
    });
    expect(spendsMuch(cutAfter(4), withBudget({}))).toBe(true);
    expect(whatItSpends(cutAfter(4), withBudget({}))).toBe("this may use 4 of the day's 50 new messages, or more");
    expect(spendsMuch(cutAfter(0), withBudget({}))).toBe(false);
  });

  it('confirmation is needed above half of a daily quota', () => {
    expect(spendsMuch(price(0, 0, 0, 25), withBudget({}))).toBe(false);
    expect(spendsMuch(price(0, 0, 0, 26), withBudget({}))).toBe(true);
  });
});
