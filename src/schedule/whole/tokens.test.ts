import { describe, expect, it } from 'vitest';
import type { Micros, VirtualClock } from '../../base/index.ts';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import type { Sender } from '../index.ts';
import { conversation, once } from './small-runs.exam.ts';

describe('tokens', () => {
  it('are shared by the journeys of a user and labelled, one per user', async () => {
    const { exchanges } = await runVirtualScenario({
      users: 2,
      journeys: { a: { steps: [conversation] } },
      load: { model: 'burst', count: 6 },
    });
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(2);
    const used = exchanges
      .filter(({ operation }) => operation === 'createConversation')
      .map(({ user, token }) => `${user} ${token}`);
    expect(new Set(used)).toEqual(new Set(['u1 t1', 'u2 t2']));
  });

  it('are renewed before they end: an hour of traffic with tokens of five minutes meets no 401', async () => {
    const { exchanges } = await runVirtualScenario({
      sandbox: { tokenLifetime: '5min' },
      journeys: {
        a: {
          steps: [{ readHistory: { conversation: '7f1d2c3b-4a59-4687-8b9c-0d1e2f3a4b5c' }, expect: { status: 404 } }],
        },
      },
      load: { model: 'constant-rate', rate: '10/min', duration: '1h' },
    });
    expect(exchanges.filter(({ status }) => status === 401)).toEqual([]);
    expect(exchanges.filter(({ operation }) => operation === 'readHistory')).toHaveLength(600);
    // Renewed 30 s before the end: every four and a half minutes.
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(14);
  });

  it.each([
    [
      'and are not where they are only due to be renewed',
      45_000_000,
      ['issueToken', 'createConversation', 'readHistory'],
      { out: 3, back: 0 },
    ],
    [
      'which is given back meanwhile',
      120_000_000,
      ['issueToken', 'createConversation', 'issueToken', 'readHistory'],
      { out: 5, back: 1 },
    ],
  ])(
    'are asked for again where they end while a request waits for a connection, %s',
    async (_, waitUs, operations, leases) => {
      let clock: VirtualClock | undefined;
      const given = { out: 0, back: 0 };
      // The third connection, which is for the history, is long in coming.
      const scarce = (sender: Sender): Sender => ({
        ...sender,
        tryAcquire: () => undefined,
        acquire: async (signal) => {
          given.out += 1;
          if (given.out === 3) await clock?.sleepUntil((clock.now() + waitUs) as Micros, signal);
          const lease = await sender.acquire(signal);
          return lease && { send: lease.send, release: () => given.back++ };
        },
      });
      const { exchanges } = await runVirtualScenario(
        {
          sandbox: { tokenLifetime: '1min' },
          journeys: { a: { steps: [conversation, { readHistory: {}, expect: { status: 200 } }] } },
          load: once,
        },
        {
          wrap: scarce,
          interrupt: (_, virtual) => {
            clock = virtual;
          },
        },
      );
      expect(exchanges.map(({ operation }) => operation)).toEqual(operations);
      expect(exchanges.filter(({ status }) => status === 401)).toEqual([]);
      const [first, again] = operations.filter((name) => name === 'issueToken').map(() => ({ token: 20_000 }));
      expect(exchanges[1]?.capWaitUs).toEqual(first);
      expect(exchanges.at(-1)?.capWaitUs).toEqual({ ...again, connection: waitUs });
      // Neither of them waited: the second was not wanted before the connection was there.
      const issued = exchanges.filter(({ operation }) => operation === 'issueToken');
      expect(issued.map(({ sentAt, intendedAt }) => sentAt - intendedAt)).toEqual(issued.map(() => 0));
      expect(given).toEqual(leases);
    },
  );

  it('that are made up or left out meet a 401 and mark nothing', async () => {
    const steps = [
      conversation,
      { readHistory: {}, credentials: 'invalid' as const, expect: { status: 401 } },
      { readHistory: {}, credentials: 'none' as const, expect: { status: 401 } },
      { readHistory: {}, expect: { status: 200 } },
    ];
    const { exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(exchanges.map(({ status }) => status)).toEqual([201, 201, 401, 401, 200]);
    expect(exchanges.flatMap(({ expect: checked }) => checked?.unmet ?? [])).toEqual([]);
    // Nothing else in the journal tells an error that was asked for from another.
    expect(exchanges.map(({ expect: checked }) => checked?.namedStatus)).toEqual([
      undefined,
      undefined,
      true,
      true,
      undefined,
    ]);
  });

  it('that are made up are of one user each: a service that counts by token would count those of all together', async () => {
    const made: unknown[] = [];
    const steps = [{ createConversation: {}, credentials: 'invalid' as const, onError: 'continue' as const }];
    const { exchanges } = await runVirtualScenario(
      { users: 2, journeys: { a: { steps: [...steps, ...steps] } }, load: { model: 'burst', count: 2 } },
      {
        wrap: answering(({ credentials }) => {
          made.push(credentials.kind === 'bearer' && credentials.token);
          return {};
        }),
      },
    );
    expect(made.toSorted()).toEqual(['u1', 'u1', 'u2', 'u2'].map((user) => `spillway-not-a-token-of-${user}`));
    expect(exchanges.map(({ token, status }) => [token, status])).toEqual(exchanges.map(() => ['invalid', 401]));
  });

  it.each([
    ['readHistory', { readHistory: {} }],
    ['sendMessage', { sendMessage: { message: 'Hello' } }],
  ])('that meet a 401 are not used again: here of %s', async (operation, step) => {
    const { exchanges } = await runVirtualScenario(
      { onError: 'continue', journeys: { a: { steps: [conversation, step, conversation] } }, load: once },
      { wrap: answering((call) => (call.operation === operation ? { status: 401, body: {} } : {})) },
    );
    expect(exchanges.map(({ operation: of, token }) => [of, token])).toEqual([
      ['issueToken', undefined],
      ['createConversation', 't1'],
      [operation, 't1'],
      ['issueToken', undefined],
      ['createConversation', 't2'],
    ]);
  });

  it('that another journey asked for in vain drop the arrivals that waited for them: these have no exchange of their own', async () => {
    const { exchanges, journeys, drops, counts } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation], onError: 'continue' } }, load: { model: 'burst', count: 3 } },
      { wrap: answering(({ operation }) => (operation === 'issueToken' ? { status: 503, body: {} } : {})) },
    );
    expect(exchanges.map(({ operation, arrival }) => [operation, arrival])).toEqual([['issueToken', 0]]);
    expect(journeys.map(({ arrival }) => arrival)).toEqual([0]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual([
      [1, 'no-token'],
      [2, 'no-token'],
    ]);
    expect(counts).toEqual({ arrivals: 3, drops: 2 });
  });
});
