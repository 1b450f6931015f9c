import { describe, expect, it } from 'vitest';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { type Input, noon, say, start } from './priced-plans.exam.ts';
import { spendsMuch } from './spending.ts';

const limitsOf = (input: Input, messages: number) => {
  const { limits } = loadedFrom(input).profile;
  return { ...limits, daily: { ...limits.daily, max: messages } };
};

describe('the price of', () => {
  const priced = async (input: Input) => (await planScenario(loadedFrom(input), { embedded: true, now: noon })).price;

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

  it('journeys that end at a failed turn is that of all their messages, at a service other than the sandbox whose turns fail', async () => {
    const steps = [start, { repeat: { times: 3, steps: [say, { followTurn: { by: 'stream' as const } }] } }];
    const input: Input = {
      sandbox: { failureShare: 1 },
      journeys: { a: { steps } },
      load: { model: 'burst', count: 1 },
    };
    expect((await priced(input)).newMessages).toEqual({ low: 1, high: 1 });
    const { price } = await planScenario(loadedFrom(input), { embedded: false, now: noon });
    expect(price.newMessages).toEqual({ low: 3, high: 3 });
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
