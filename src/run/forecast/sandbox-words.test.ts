import { describe, expect, it } from 'vitest';
import { type TargetProfile, TargetProfileSchema } from '../../api/index.ts';
import { placedLoadModels } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { type Input, noon, once, say, start } from './priced-plans.exam.ts';
import { settleLoad } from './settle-load.ts';

type Written = Partial<Record<keyof TargetProfile, object>>;

const words: [string, Written][] = [
  ['error codes', { errorCodes: { rate: ['slow_down'], concurrency: ['busy'], daily: ['spent'] } }],
  ['no error codes', { errorCodes: { rate: [], concurrency: [], daily: [], otherBodies: 'rate' } }],
  ['statuses of turns', { turns: { open: ['running'], completed: ['done'], failed: ['broken'] } }],
  ['statuses of success', { success: { issueToken: [204], createConversation: [200], sendMessage: [200] } }],
  ['types of events', { stream: { events: { status: ['state'], completed: ['end'], failed: ['broken'] } } }],
  ['names of parameters', { history: { limitParameter: 'count', offsetParameter: 'skip' } }],
];
const all: Written = Object.assign({}, ...words.map(([, written]) => written));

function profileWith({ turns, ...written }: Written): TargetProfile {
  const assumed = { distribution: 'constant', value: '3s' };
  return TargetProfileSchema.parse({ ...written, turns: { assumed, ...turns } });
}

async function priceAt(by: 'poll' | 'stream', written: Written = {}) {
  const steps: Input['journeys'][string]['steps'] = [
    start,
    say,
    { followTurn: { by, interval: '1s' } },
    { readHistory: { limit: 5, pages: 'all' } },
    { burst: { of: 'readHistory', count: 20 } },
    { rateAnswer: { rating: 'up' } },
  ];
  const scenario = loadedFrom({ journeys: { a: { onRefused: 'continue', steps } }, load: once });
  const loaded = { ...scenario, profile: profileWith(written) };
  return (await planScenario(loaded, { embedded: false, now: noon })).price;
}

describe('the price at a service that has its own words', () => {
  it.each(words)('for %s is that at a service with the words of the sandbox', async (_, written) => {
    for (const by of ['poll', 'stream'] as const) expect(await priceAt(by, written)).toEqual(await priceAt(by));
  });

  it('shows what is refused and how often a turn is polled', async () => {
    const price = await priceAt('poll', all);
    expect(price.polls).toEqual({ low: 4, high: 4 });
    expect(price.newMessages).toEqual({ low: 1, high: 1 });
    expect(price.refused.rate.low).toBeGreaterThan(0);
  });
});

it('paced-to-limits sends as much to a service that has its own words', async () => {
  const allowedAt = async (written: Written) => {
    const load = { model: 'paced-to-limits', duration: '10min' } as const;
    const scenario = loadedFrom({ journeys: { a: { steps: [start, say, { followTurn: { interval: '1s' } }] } }, load });
    const settled = await settleLoad({ ...scenario, profile: profileWith(written) }, false);
    return [...placedLoadModels(settled.scenario)];
  };
  expect(await allowedAt(all)).toEqual(await allowedAt({}));
});
