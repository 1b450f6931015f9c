import { describe, expect, it } from 'vitest';
import { type LimitName, limitNames, limitOfRefusal } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { readGates } from '../../metrics/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { loadedFrom, runVirtualScenario } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { renderPrice } from './price-text.ts';
import { type Input, latency, noon, once, plans, say, start } from './priced-plans.exam.ts';
import { rehearse } from './rehearse.ts';

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

  it('has too long journeys to rehearse is that of as many exchanges as may be rehearsed', async () => {
    const steps = [start, { repeat: { times: 100, steps: [{ readHistory: {} }] } }];
    const loaded = loadedFrom({
      journeys: { a: { onRefused: 'continue', onError: 'continue', steps } },
      load: { model: 'burst', count: 3 },
    } as Input);
    const assumption = { turnQuantile: 0.5, roundTripUs: 2_000 as Micros, mostExchanges: 100 };
    const { whole, measurements } = await rehearse(loaded, compilePlan(loaded.scenario), true, assumption);
    const { run, drops } = measurements.summary();
    expect([whole, drops.total]).toEqual([false, 0]);
    expect(run.exchanges).toBeGreaterThanOrEqual(100);
    // What is under way of the others ends.
    expect(run.exchanges).toBeLessThanOrEqual(102);
  });

  it('is a burst of a million is a lower bound, and not called within a limit that its beginning did not reach', async () => {
    const input: Input = { journeys: { a: { steps: [start] } }, load: { model: 'burst', count: 1_000_000 } };
    const { gates } = readGates({ http_req_duration: 'p(99)<300' });
    const { price, shortGates } = await planScenario({ ...loadedFrom(input), gates }, { embedded: true, now: noon });
    expect(price.whole).toBe(false);
    // Its beginning has no request yet, and the rest would have enough of them.
    expect(shortGates).toEqual([]);
    // The rest takes no memory.
    expect(price.arrivals.high).toBeLessThanOrEqual(20_000);
    expect(price.drops).toEqual({ low: 0, high: 0 });
    const text = renderPrice(price, loadedFrom(input).profile.limits, { rounds: 2 });
    expect(text).toContain('every number is a lower bound');
    expect(text).not.toContain('within the limit');
    expect(text).toContain('rate         busiest minute 0 of 20; what comes after this beginning is unknown\n');
  });
});
