import { describe, expect, it } from 'vitest';
import { type LimitName, limitNames, limitOfRefusal } from '../api/index.ts';
import { ConfigurationError, type Micros } from '../base/index.ts';
import { loadedFrom, runVirtualScenario } from '../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import type { Price } from './price.ts';
import { renderPrice } from './price-text.ts';
import { checkBudget, spendsMuch } from './spending.ts';

const noon = new Date('2026-01-15T12:00:00Z');

type Input = Parameters<typeof loadedFrom>[0];

const latency = {
  queued: { distribution: 'constant', value: '1s' },
  processing: { distribution: 'constant', value: '6s' },
} as const;
const once = { model: 'burst', count: 1 } as const;
const say = { sendMessage: { message: 'Hello' } };
const start = { createConversation: {} };

/** Plans that stay below, reach, and exceed each limit; with a known turn length, the price is exact. */
const plans: Readonly<Record<string, Input>> = {
  'stays below every limit': {
    journeys: { a: { steps: [start, say, { followTurn: { interval: '2s' } }] } },
    load: once,
  },
  'reads twenty times in a minute': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { of: 'readHistory', count: 19 } }] } },
    load: once,
  },
  'reads thirty times at once': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { of: 'readHistory', count: 30 } }] } },
    load: once,
  },
  'sends five messages at once': {
    journeys: { a: { onRefused: 'continue', steps: [start, { burst: { count: 5 } }] } },
    load: once,
  },
  'writes sixty messages in an hour': {
    journeys: {
      a: {
        onRefused: 'continue',
        steps: [start, { repeat: { times: 60, steps: [say, { followTurn: { by: 'stream' } }, { pause: '30s' }] } }],
      },
    },
    load: once,
  },
  'retries what was refused': {
    journeys: { a: { onRefused: { retry: { max: 2 } }, steps: [start, { burst: { of: 'readHistory', count: 25 } }] } },
    load: once,
  },
  'polls itself into the limit': {
    users: 3,
    journeys: { a: { onRefused: 'continue', steps: [start, say, { followTurn: { interval: '500ms' } }] } },
    load: { model: 'burst', count: 2, gap: '200ms' },
  },
  'keeps within the limits by caps': {
    caps: { openTurns: 2, requestsPerMinute: 20 },
    journeys: { a: { steps: [start, { burst: { count: 6, follow: { by: 'stream' } } }] } },
    load: { model: 'burst', count: 2 },
  },
};

describe('the price of a plan that', () => {
  it.each(Object.entries(plans))('%s is what a run of it costs', async (_, input) => {
    const scenario = { ...input, sandbox: { latency, startTime: '2026-01-01T12:00:00Z' } };
    const loaded = loadedFrom(scenario);
    const { price } = await planScenario(loaded, { embedded: true, now: noon });
    const run = await runVirtualScenario(scenario, { delayUs: () => [1_000 as Micros, 1_000 as Micros] });

    const refused = Object.fromEntries(limitNames.map((limit) => [limit, 0])) as Record<LimitName, number>;
    for (const { error } of run.exchanges) {
      const limit = limitOfRefusal(loaded.profile, { error });
      if (limit !== undefined) refused[limit]++;
    }
    const exactly = (value: number) => ({ low: value, high: value });
    const of = (operation: string) => run.exchanges.filter((exchange) => exchange.operation === operation).length;
    expect(price.refused).toEqual({
      rate: exactly(refused.rate),
      concurrency: exactly(refused.concurrency),
      daily: exactly(refused.daily),
    });
    expect(price.tokens).toEqual(exactly(of('issueToken')));
    expect(price.requests).toEqual(exactly(run.exchanges.length - of('issueToken')));
    expect(price.polls).toEqual(exactly(of('readTurn')));
    expect(price.messages).toEqual(exactly(of('sendMessage')));
    expect(price.durationUs).toEqual(exactly(run.durationUs));
    expect(price.whole).toBe(true);
  });

  it('exceeds one limit shows refusals by that limit', async () => {
    const refusals = async (name: string) => {
      const input = plans[name];
      if (!input) throw new Error(`there is no plan ${name}`);
      return (await planScenario(loadedFrom({ ...input, sandbox: { latency } }), { embedded: true, now: noon })).price
        .refused;
    };
    const counts = async (name: string) => Object.values(await refusals(name)).map(({ high }) => high);
    expect(await counts('stays below every limit')).toEqual([0, 0, 0]);
    expect(await counts('reads twenty times in a minute')).toEqual([0, 0, 0]);
    expect(await counts('reads thirty times at once')).toEqual([11, 0, 0]);
    expect(await counts('sends five messages at once')).toEqual([0, 3, 0]);
    expect(await counts('writes sixty messages in an hour')).toEqual([0, 0, 10]);
    expect(await counts('keeps within the limits by caps')).toEqual([0, 0, 0]);
  });

  it('sends requests counts them, whatever counts towards the rate limit', async () => {
    const priced = async (counts: ('issueToken' | 'sendMessage')[]) => {
      const loaded = loadedFrom({
        journeys: { a: { steps: [start, say, { readHistory: {} }] } },
        load: once,
        profile: { limits: { rate: { counts } } },
      } as Input);
      return (await planScenario(loaded, { embedded: true, now: noon })).price;
    };
    const all = { tokens: { low: 1, high: 1 }, requests: { low: 3, high: 3 }, most: { requests: 4 } };
    expect(await priced(['issueToken', 'sendMessage'])).toMatchObject({ ...all, busiestMinute: { high: 2 } });
    expect(await priced(['sendMessage'])).toMatchObject({ ...all, busiestMinute: { high: 1 } });
  });

  it('depends on how long turns take is a range', async () => {
    const input: Input = {
      journeys: { a: { steps: [start, say, { followTurn: { interval: '500ms' } }] } },
      load: once,
    };
    const { price } = await planScenario(
      loadedFrom({
        ...input,
        profile: { turns: { assumed: { distribution: 'uniform', min: '1s', max: '3s' } } },
      } as Input),
      { embedded: false, now: noon },
    );
    // The 5th percentile of 1 to 3 s is 1.1 s, the 95th 2.9 s: polls at 0, 0.5, 1 and 1.5 s; up to 3 s, seven.
    expect(price.polls).toEqual({ low: 4, high: 7 });
    expect(renderPrice(price, loadedFrom(input).profile.limits)).toContain(
      'requests     6 to 9 (polls: 4 to 7), and 1 for tokens',
    );
  });

  it('exceeds a declared limit is not called within it, even if nothing will be refused', async () => {
    const input: Input = {
      sandbox: { limits: { rate: { max: 100 }, concurrency: { max: 10 }, daily: { max: 100 } }, latency },
      journeys: { a: { onRefused: 'continue', steps: [start, { burst: { of: 'readHistory', count: 29 } }] } },
      load: once,
    };
    const { price } = await planScenario(loadedFrom(input), { embedded: true, now: noon });
    const text = renderPrice(price, loadedFrom(input).profile.limits);
    expect(text).toContain('rate         busiest minute 30 of 20; none will be refused\n');
    expect(text).toContain('daily        new messages 0 of 50 on the busiest day; within the limit\n');
  });

  it('counts in the busiest minute what another limit will refuse: the rate limit counts it, too', async () => {
    const input: Input = {
      sandbox: { latency },
      journeys: { a: { onRefused: 'continue', steps: [start, { burst: { count: 24 } }] } },
      load: once,
    };
    const { price } = await planScenario(loadedFrom(input), { embedded: true, now: noon });
    expect(renderPrice(price, loadedFrom(input).profile.limits)).toContain(
      'rate         busiest minute 25 of 20; 5 will be refused: more than 20 requests per minute\n',
    );
  });

  it('names the limit of the embedded sandbox that will refuse, not that of the profile', async () => {
    const told = async (limits: object, embedded = true) => {
      const steps: Input['journeys'][string]['steps'] = [
        start,
        { burst: { of: 'readHistory', count: 25 } },
        { burst: { count: 4 } },
      ];
      const sandbox = { limits } as Input['sandbox'];
      const loaded = loadedFrom({ journeys: { a: { onRefused: 'continue', steps } }, load: once, sandbox });
      const { price } = await planScenario(loaded, { embedded, now: noon });
      return renderPrice(price, loaded.profile.limits, { embedded: embedded ? loaded : undefined })
        .split('\n')
        .slice(4);
    };
    expect(await told({ rate: { max: 28, window: '10s' }, concurrency: 9, daily: 1 })).toEqual([
      'rate         busiest minute 30 of 20; 2 will be refused: more than 28 requests per 10.0 s, set for the sandbox',
      'concurrency  open turns 1 of 2; within the limit',
      'daily        new messages 1 of 50 on the busiest day; 1 will be refused: more than 1 new message a day, set for the sandbox',
      '',
    ]);
    expect((await told({ rate: [{ max: 5 }, { max: 9 }] }))[0]).toMatch(
      / will be refused: several limits set for the sandbox$/,
    );
    for (const lines of [await told({}), await told({ rate: 20 }), await told({ rate: 5 }, false)])
      expect(lines[0]).toMatch(/ will be refused: more than 20 requests per minute$/);
  });

  it('is too long to rehearse is a lower bound', async () => {
    const input: Input = {
      journeys: {
        a: {
          onRefused: 'continue',
          onError: 'continue',
          steps: [start, { repeat: { times: 1_000, steps: [{ readHistory: {} }] } }],
        },
      },
      load: { model: 'burst', count: 30 },
    };
    const { price } = await planScenario(loadedFrom(input), { embedded: true, now: noon });
    expect(price.whole).toBe(false);
    expect(price.drops).toEqual({ low: 0, high: 0 });
    expect(renderPrice(price, loadedFrom(input).profile.limits)).toContain('every number is a lower bound');
  });
});

const limitsOf = (input: Input, messages: number) => {
  const { limits } = loadedFrom(input).profile;
  return { ...limits, daily: { ...limits.daily, max: messages } };
};

describe('the price of', () => {
  const priced = async (input: Input) => (await planScenario(loadedFrom(input), { embedded: true, now: noon })).price;

  it('a burst of a million is that of its beginning, and the rest takes no memory', async () => {
    const price = await priced({ journeys: { a: { steps: [start] } }, load: { model: 'burst', count: 1_000_000 } });
    expect(price.whole).toBe(false);
    expect(price.arrivals.high).toBeLessThanOrEqual(20_000);
    expect(price.drops.high).toBe(0);
  });

  it('a plan with a warm-up includes the warm-up', async () => {
    const input: Input = { journeys: { a: { steps: [start, say] } }, load: { model: 'burst', count: 3, gap: '1s' } };
    const whole = await priced(input);
    expect(whole).toMatchObject({ arrivals: { high: 3 }, requests: { high: 6 }, messages: { high: 3 } });
    expect(await priced({ ...input, warmUp: '2s' })).toEqual(whole);
  });

  it('a plan that a deadline cuts off is that of what is sent until then', async () => {
    const input: Input = { journeys: { a: { steps: [start, say] } }, load: { model: 'burst', count: 10, gap: '1s' } };
    const cut = await priced({ ...input, deadline: '2500ms' });
    // At 0, 1 and 2 seconds.
    expect(cut).toMatchObject({
      whole: true,
      arrivals: { high: 3 },
      requests: { high: 6 },
      durationUs: { high: 2_500_000 },
    });
    expect((await priced({ ...input, deadline: '1h' })).arrivals.high).toBe(10);
  });

  it('a plan that gracefulStop cuts off is that of what is sent until then', async () => {
    const input: Input = {
      journeys: { a: { steps: [start, { pause: '1200ms' }, say, { pause: '1h' }, say] } },
      load: { model: 'burst', count: 10, gap: '1s' },
      gracefulStop: '500ms',
    };
    // The last arrival is planned at 9 s: it does not send its message, which would be due at 10.2 s.
    expect(await priced(input)).toMatchObject({
      whole: true,
      arrivals: { high: 10 },
      messages: { high: 9 },
      durationUs: { high: 9_500_000 },
    });
  });

  it('messages to a conversation from before the run covers a service that knows it, and one that does not', async () => {
    const conversation = '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c';
    const follow = { followTurn: { by: 'poll', interval: '1s' } } as const;
    const turns = { assumed: { distribution: 'constant', value: '1500ms' } };
    const input = {
      profile: { turns },
      journeys: { a: { steps: [{ sendMessage: { message: 'Hello again', conversation } }, follow] } },
      load: { model: 'burst', count: 2, gap: '10s' },
    } as unknown as Input;
    const { price } = await planScenario(loadedFrom(input), { embedded: false, now: noon });
    expect(price.dailyUse).toEqual({ low: 0, high: 2 });
    // Polls at 0, 1 and 2 s.
    expect(price.polls).toEqual({ low: 0, high: 6 });
    expect(price.requests).toEqual({ low: 2, high: 8 });
    expect(spendsMuch(price, { ...loadedFrom(input).profile, limits: limitsOf(input, 2) })).toBe(true);
    // The embedded sandbox has no earlier conversations.
    expect(await priced(input)).toMatchObject({ dailyUse: { high: 0 }, polls: { high: 0 } });
  });

  it('an id sent again with other content covers a service that refuses it, and one that does not', async () => {
    const steps = [start, { sendMessage: { message: 'Hello' } }, { resend: { content: 'other' } }, { readHistory: {} }];
    const input = { journeys: { a: { steps } }, load: { model: 'burst', count: 1 } };
    const pricedAs = async (otherContent: string) => {
      const loaded = loadedFrom({ ...input, profile: { idempotency: { otherContent } } } as unknown as Input);
      return (await planScenario(loaded, { embedded: false, now: noon })).price;
    };
    const either = { requests: { low: 3, high: 4 }, most: { requests: 5 } };
    // What is accepted under a used id may be a new message.
    expect(await pricedAs('unknown')).toMatchObject({ ...either, dailyUse: { low: 1, high: 2 } });
    expect(await pricedAs('ignored')).toMatchObject(either);
    expect(await pricedAs('refused')).toMatchObject({ requests: { low: 3, high: 3 }, most: { requests: 4 } });
  });

  it('messages under a cap on open turns never shows more of them than the cap', async () => {
    const burst = { count: 6, follow: { by: 'stream' as const } };
    const price = await priced({
      caps: { openTurns: 2, requestsPerMinute: 20 },
      journeys: { a: { steps: [start, { burst }] } },
      load: { model: 'burst', count: 2 },
    });
    expect(price.openTurns).toEqual({ low: 2, high: 2 });
    expect(price.busiestMinute.high).toBeLessThanOrEqual(20);
  });

  it('two applications is that of one application, and of a rate window of ten seconds', async () => {
    const price = await priced({
      profile: { limits: { rate: { max: 20, window: '10s' } } },
      sandbox: { startTime: '2026-01-15T09:00:00Z' },
      applications: { shop: null, office: null },
      users: [
        { id: 'ada', application: 'shop' },
        { id: 'ben', application: 'office' },
      ],
      journeys: { a: { steps: [start, { repeat: { times: 5, steps: [{ pause: '5s' }, { readHistory: {} }] } }] } },
      load: { model: 'burst', count: 2 },
    } as Input);
    // Two reads per user in ten seconds, and one creation; not the twelve requests of both users in a minute.
    expect(price.busiestMinute).toEqual({ low: 2, high: 2 });
    expect(price.refused.rate.high).toBe(0);
    expect(price.openTurns).toEqual({ low: 0, high: 0 });
  });
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
      /budget of 1000000 requests.*\n.*budget of 1000 messages/,
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
      'at most      101 requests and 50 new messages, if the service refuses nothing\n',
    );
  });

  it('confirmation is needed above half of a daily quota', () => {
    expect(spendsMuch(price(0, 0, 0, 25), withBudget({}))).toBe(false);
    expect(spendsMuch(price(0, 0, 0, 26), withBudget({}))).toBe(true);
  });
});

describe('the price of several rounds', () => {
  const priceOf = async (rest: Input) => {
    const loaded = loadedFrom(rest);
    const { price } = await planScenario(loaded, { embedded: true, now: noon });
    return (rounds: number) => renderPrice(price, loaded.profile.limits, { rounds });
  };

  it('shows what they need together, because the service counts consecutive rounds together', async () => {
    const told = await priceOf({ journeys: { a: { steps: [start, say] } }, load: once });
    expect(told(10)).toContain(
      'rounds       10 without pauses: about 20 of 20 requests per minute and 10 of 50 new messages a day in all; within the limits\n',
    );
    expect(told(11)).toContain(
      'about 22 of 20 requests per minute and 11 of 50 new messages a day in all; requests above a limit',
    );
    expect(told(1)).not.toContain('rounds');
  });

  it('counts only the rounds that fit into one minute', async () => {
    const told = await priceOf({
      journeys: { a: { steps: [start, { repeat: { times: 9, steps: [{ readHistory: {} }] } }, { pause: '70s' }] } },
      load: once,
    });
    expect(told(30)).toContain(
      'about 10 of 20 requests per minute and 0 of 50 new messages a day in all; within the limits',
    );
  });
});
