import { describe, expect, it } from 'vitest';
import { runVirtualScenario } from '../testing/virtual.ts';

/** A journey of one request, which takes 20 ms. */
const journeys = { a: { steps: [{ issueToken: {} }] } };
const started = async (load: Parameters<typeof runVirtualScenario>[0]['load'], users = 10) => {
  const run = await runVirtualScenario({ users, journeys, load });
  return run.journeys.map(({ arrival, startedAt }) => [arrival, startedAt / 1_000]);
};

describe('users of a closed model', () => {
  it('share one stock: each journey is made once, by whoever is free', async () => {
    const made = await started({ model: 'shared-iterations', users: 3, iterations: 7 });
    expect(made).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 20],
      [4, 20],
      [5, 20],
      [6, 40],
    ]);
  });

  it('leave the stock when time is up', async () => {
    expect(await started({ model: 'shared-iterations', users: 1, iterations: 100, duration: '50ms' })).toHaveLength(3);
  });

  it('make each its own number', async () => {
    const made = await started({ model: 'per-user-iterations', users: 2, iterations: 3 });
    expect(made).toEqual([
      [0, 0],
      [1, 0],
      [2, 20],
      [3, 20],
      [4, 40],
      [5, 40],
    ]);
  });

  it('come one by one, go one by one, and come back as the same users', async () => {
    const { exchanges } = await runVirtualScenario({
      users: 10,
      journeys,
      load: {
        model: 'ramping-users',
        think: '30ms',
        stages: [
          { to: 2, duration: '200ms' },
          { to: 0, duration: '200ms' },
          { to: 0, duration: '100ms' },
          { to: 1, duration: '100ms' },
        ],
      },
    });
    const startsOf = (label: string) =>
      exchanges.filter(({ user }) => user === label).map(({ sentAt }) => sentAt / 1_000);
    // A journey and its pause take 50 ms. User 1 is there from 0 to 400 ms and from 500 to 600 ms, user 2 from 100 to 300 ms.
    expect(startsOf('u1')).toEqual([0, 50, 100, 150, 200, 250, 300, 350, 500, 550]);
    expect(startsOf('u2')).toEqual([100, 150, 200, 250]);
  });
});
