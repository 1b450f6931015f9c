import { describe, expect, it } from 'vitest';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation, seconds } from '../whole/small-runs.exam.ts';

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

  it.each([
    ['a time', '1s'],
    ['times that are drawn', { distribution: 'constant', value: '1s' }],
  ] as const)('start their next journey when the last one ended and they have thought for %s', async (_, think) => {
    const { journeys } = await runVirtualScenario({
      journeys: { a: { steps: [{ issueToken: {} }] } },
      load: { model: 'closed-users', users: 1, iterations: 3, think },
    });
    expect(journeys.map(({ arrival, startedAt, endedAt }) => [arrival, startedAt, endedAt])).toEqual([
      [0, 0, 20_000],
      [1, 1_020_000, 1_040_000],
      [2, 2_040_000, 2_060_000],
    ]);
  });

  const refusing = (operation: 'issueToken' | 'createConversation', status: number) =>
    runVirtualScenario(
      {
        users: 3,
        journeys: { a: { steps: [conversation] } },
        load: { model: 'closed-users', users: 3, duration: '5s' },
      },
      { wrap: answering((call) => (call.operation === operation ? { status, body: {} } : {})) },
    );

  it('whose service gives no token ask again after a second, not at once', async () => {
    const { exchanges, journeys } = await refusing('issueToken', 500);
    expect(journeys).toHaveLength(15);
    expect(exchanges.map(({ sentAt }) => seconds(sentAt))).toEqual([0, 1, 2, 3, 4].flatMap((at) => [at, at, at]));
  });

  it('whose tokens are all refused do not go round in a circle', async () => {
    const { exchanges, journeys } = await refusing('createConversation', 401);
    // Two tokens each, then none is asked for any more.
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(6);
    expect(journeys.length).toBeLessThan(3 * 8);
  });

  it('whose tokens are refused whenever there is an answer do not either: a broken connection is no success', async () => {
    let sent = 0;
    const { exchanges } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation] } }, load: { model: 'closed-users', users: 1, duration: '5s' } },
      {
        wrap: answering(({ operation }) =>
          operation === 'issueToken' ? {} : sent++ % 2 === 0 ? { failure: 'ECONNRESET' } : { status: 401, body: {} },
        ),
      },
    );
    expect(exchanges.map(({ operation, token, status, failure }) => [operation, token, status ?? failure])).toEqual(
      ['t1', 't2'].flatMap((token) => [
        ['issueToken', undefined, 201],
        ['createConversation', token, 'ECONNRESET'],
        ['createConversation', token, 401],
      ]),
    );
  });

  it('whose journey does nothing reach the end of their time', async () => {
    const { journeys } = await runVirtualScenario({
      journeys: { a: { steps: [{ pause: '0s' }] } },
      load: { model: 'closed-users', users: 1, duration: '50ms' },
    });
    expect(journeys).toHaveLength(50);
  });
});
