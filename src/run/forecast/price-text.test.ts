import { describe, expect, it } from 'vitest';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { renderPrice } from './price-text.ts';
import { type Input, latency, noon, once, say, start } from './priced-plans.exam.ts';

describe('the price of a plan that', () => {
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

  it('sends nothing says so, and what may be missing', async () => {
    const told = async (...steps: Input['journeys'][string]['steps']) => {
      const loaded = loadedFrom({ journeys: { a: { steps } }, load: once });
      const { price } = await planScenario(loaded, { embedded: true, now: noon });
      return renderPrice(price, loaded.profile.limits);
    };
    expect(await told(say)).toContain(
      '0 for tokens; nothing will be sent: every journey ends or stops before its first request (messages and reads need a createConversation before them)\n',
    );
    expect(await told(start, say)).toContain('1 for tokens\n');
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
