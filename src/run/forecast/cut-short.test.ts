import { describe, expect, it } from 'vitest';
import { loadedFrom } from '../../testing/virtual.ts';
import { planScenario } from './plan-scenario.ts';
import { renderPrice } from './price-text.ts';
import { type Input, latency, noon, once, say, start } from './priced-plans.exam.ts';

/** The forecast's row of what is left, and its numbers. */
async function cutShort(input: Omit<Input, 'name'>, embedded = true) {
  const loaded = loadedFrom({ sandbox: { latency }, ...input } as Input);
  const { price } = await planScenario(loaded, { embedded, now: noon });
  const row = renderPrice(price, loaded.profile.limits)
    .split('\n')
    .find((line) => line.startsWith('cut short'));
  return { row, left: price.cutShort, whole: price.whole };
}

const paused: Input['journeys'] = { a: { steps: [start, { pause: '10s' }, say] } };

describe('the forecast of a run that its scenario ends', () => {
  it('says which arrivals do not start, and which journeys are broken off', async () => {
    const load = { model: 'constant-rate', rate: '1/s', duration: '30s' } as const;
    const { row, left } = await cutShort({ journeys: paused, load, deadline: '12500ms' });
    expect(row).toBe(
      'cut short    by its deadline after 12.5 s: 17 of 30 arrivals not started, 10 journeys broken off',
    );
    const both = (count: number) => ({ low: count, high: count });
    expect(left).toEqual({
      by: 'deadline',
      atUs: 12_500_000,
      arrivals: 30,
      notStarted: both(17),
      interrupted: both(10),
    });
  });

  it('says so of a single journey', async () => {
    expect((await cutShort({ journeys: paused, load: once, deadline: '9s' })).row).toBe(
      'cut short    by its deadline after 9.00 s: 1 journey broken off',
    );
  });

  it('says so if only turns that take long are not waited for', async () => {
    const journeys: Input['journeys'] = { a: { steps: [start, say, { followTurn: { by: 'stream' } }] } };
    const slow = {
      queued: { distribution: 'constant', value: '0' },
      processing: { distribution: 'uniform', min: '1s', max: '9s' },
    } as const;
    const { row } = await cutShort({ journeys, load: once, sandbox: { latency: slow }, deadline: '5s' });
    expect(row).toBe('cut short    by its deadline after 5.00 s: 0 to 1 journey broken off');
  });

  it('names what ends it', async () => {
    const load = { model: 'constant-rate', rate: '1/s', duration: '4s' } as const;
    const { row } = await cutShort({ journeys: paused, load, gracefulStop: '2s', deadline: '1min' });
    expect(row).toBe('cut short    by its gracefulStop after 6.00 s: 4 journeys broken off');
  });

  it('says so of users in a loop', async () => {
    const load = { model: 'closed-users', users: 3, duration: '1min', think: '9s' } as const;
    const journeys: Input['journeys'] = { a: { steps: [start] } };
    expect((await cutShort({ journeys, load, deadline: '20s' })).row).toBe(
      'cut short    by its deadline after 20.0 s: before its users are done',
    );
  });

  it('counts every arrival of a plan that is long and soon ended', async () => {
    const journeys: Input['journeys'] = { a: { steps: [start] } };
    const load = { model: 'constant-rate', rate: '100/s', duration: '10h' } as const;
    const { left, whole } = await cutShort({ journeys, load, deadline: '1005ms', users: 9 });
    expect(left).toMatchObject({ arrivals: 3_600_000, notStarted: { low: 3_599_899, high: 3_599_899 } });
    expect(whole).toBe(true);
  });

  it('says nothing if it is done before', async () => {
    expect((await cutShort({ journeys: paused, load: once, deadline: '11s' })).left).toBeUndefined();
    expect((await cutShort({ journeys: paused, load: once })).left).toBeUndefined();
  });

  it('tells that of a sandbox whose clock is fast, at a service in real time', async () => {
    const journeys: Input['journeys'] = {
      a: { onRefused: { retry: {} }, steps: [start, { burst: { of: 'readHistory', count: 21 } }] },
    };
    const input = { journeys, load: once, sandbox: { clockRate: 10, latency }, deadline: '40s' } as const;
    expect((await cutShort(input)).row).toBeUndefined();
    expect((await cutShort(input, false)).row).toBe('cut short    by its deadline after 40.0 s: 1 journey broken off');
  });
});
