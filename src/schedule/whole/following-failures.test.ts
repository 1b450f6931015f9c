import { describe, expect, it } from 'vitest';
import { answering, failing, refusingStreams } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import type { Sender } from '../index.ts';
import { conversation, message, once, stopAt } from './small-runs.exam.ts';

const withoutStreams = refusingStreams(503);

/** An answer that cannot be recorded. */
const BROKEN_INSIDE = {
  headers: {
    get date(): string {
      throw new TypeError('injected');
    },
  },
};

describe('following a turn', () => {
  it('ends at its deadline, also where a poll is to be tried again later than that', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        onRefused: { retry: { max: 3 } },
        journeys: { a: { steps: [conversation, message, { followTurn: { interval: '200ms', deadline: '1s' } }] } },
        load: once,
      },
      { wrap: failing('readTurn', 429, { headers: { 'retry-after': '4' } }) },
    );
    expect(exchanges.filter(({ operation }) => operation === 'readTurn')).toHaveLength(1);
    expect(journeys[0]).toMatchObject({ endedAt: 1_060_000, stoppedAt: { because: 'turn deadline' } });
  });

  it('by stream ends there, too', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        onError: { retry: { max: 9, backoff: { first: '600ms', factor: 1, jitter: 0 } } },
        journeys: { a: { steps: [conversation, message, { followTurn: { by: 'stream', deadline: '1s' } }] } },
        load: once,
      },
      { wrap: withoutStreams },
    );
    expect(exchanges.filter(({ operation }) => operation === 'openStream')).toHaveLength(2);
    expect(journeys[0]).toMatchObject({
      endedAt: 1_060_000,
      stoppedAt: { operation: 'openStream', because: 'turn deadline' },
    });
  });

  it('by stream ends the run with a defect of the tool, instead of waiting for ever', async () => {
    const wrap = (sender: Sender): Sender => ({
      ...sender,
      acquireStream: () => Promise.reject(new TypeError('injected')),
    });
    const steps = [conversation, message, { followTurn: { by: 'stream' as const } }];
    await expect(runVirtualScenario({ journeys: { a: { steps } }, load: once }, { wrap })).rejects.toEqual(
      new TypeError('injected'),
    );
  });

  it.each(['at once', 'after a wait'])(
    'ends the run with a defect of the tool in a sender that lends %s',
    async (when) => {
      const lease = {
        release: () => undefined,
        send: () => {
          throw new TypeError('injected');
        },
      };
      const wrap = (sender: Sender): Sender => ({
        ...sender,
        tryAcquire: () => (when === 'at once' ? lease : undefined),
        acquire: async () => lease,
      });
      await expect(
        runVirtualScenario({ journeys: { a: { steps: [conversation] } }, load: once }, { wrap }),
      ).rejects.toEqual(new TypeError('injected'));
    },
  );

  it('ends the run with a defect of the tool that shows once an answer is there', async () => {
    const wrap = answering(({ operation }) => (operation === 'createConversation' ? BROKEN_INSIDE : {}));
    await expect(
      runVirtualScenario({ journeys: { a: { steps: [conversation] } }, load: once }, { wrap }),
    ).rejects.toEqual(new TypeError('injected'));
  });

  it('goes on after a gentle stop, also where a poll is to be tried again', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        onRefused: { retry: { max: 9 } },
        journeys: { a: { steps: [conversation, message, { followTurn: { interval: '1s' } }] } },
        load: once,
      },
      {
        wrap: failing('readTurn', 429, { times: 1, headers: { 'retry-after': '1' } }),
        ...stopAt(500_000, true),
      },
    );
    expect(exchanges.at(-1)?.turn?.status).toBe('completed');
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('is interrupted by a stop at once, which is nothing that the service did', async () => {
    const { journeys } = await runVirtualScenario(
      {
        onRefused: { retry: { max: 9 } },
        journeys: { a: { steps: [conversation, message, { followTurn: { interval: '1s' } }] } },
        load: once,
      },
      {
        wrap: failing('readTurn', 429, { headers: { 'retry-after': '5' } }),
        ...stopAt(500_000, false),
      },
    );
    expect(journeys.map(({ outcome, stoppedAt }) => [outcome, stoppedAt])).toEqual([['interrupted', undefined]]);
  });

  it('ends with an answer whose status the step expects, if it is no success', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        journeys: { a: { steps: [conversation, message, { followTurn: {}, expect: { status: 404 } }, conversation] } },
        load: once,
      },
      // Without a body, too.
      { wrap: answering(({ operation }) => (operation === 'readTurn' ? { status: 404, body: undefined } : {})) },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.map(({ expect: checked }) => checked)).toEqual([{ checked: 1, unmet: [], namedStatus: true }]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});

describe('following a turn whose step puts up with a failure', () => {
  it('goes on past it: a success is wanted as well', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        journeys: {
          a: { steps: [conversation, message, { followTurn: { interval: '1s' }, expect: { status: [200, 404] } }] },
        },
        load: once,
      },
      { wrap: failing('readTurn', 404, { times: 2 }) },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.map(({ status }) => status)).toEqual([404, 404, 200, 200, 200, 200]);
    expect(polls.at(-1)?.turn?.status).toBe('completed');
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});

describe('following a turn whose polls are tried again in vain', () => {
  it('goes on with the next poll, if the policy goes on afterwards', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        onError: { retry: { max: 1, backoff: { first: '500ms', jitter: 0 }, afterwards: 'continue' } },
        journeys: { a: { steps: [conversation, message, { followTurn: { interval: '2s' } }] } },
        load: once,
      },
      { wrap: failing('readTurn', 503, { times: 2 }) },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.map(({ status, attempt }) => [status, attempt])).toEqual([
      [503, 1],
      [503, 2],
      [200, 1],
      [200, 1],
      [200, 1],
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });
});

describe('turns that are followed side by side, and whose polls are tried again', () => {
  const follow = { interval: '1s', deadline: '20s' } as const;

  it.each([
    ['by the burst itself', [{ burst: { of: 'sendMessage', count: 2, message: 'Hello', follow } }], 'readTurn'],
    [
      'by a step for all',
      [{ burst: { of: 'sendMessage', count: 2, message: 'Hello' } }, { followTurn: { ...follow, turns: 'all' } }],
      'readTurn',
    ],
    ['both ways', [message, { followTurn: { ...follow, by: 'both' } }], 'readTurn or openStream'],
  ] as const)('%s, each draw a wait of their own', async (_, steps, followed) => {
    const { exchanges } = await runVirtualScenario(
      {
        onError: { retry: { max: 1, backoff: { first: '1s', jitter: 1 } } },
        journeys: { a: { steps: [conversation, ...steps] } },
        load: once,
      },
      {
        wrap: (sender, clock) => withoutStreams(failing('readTurn', 500)(sender, clock), clock),
      },
    );
    const tries = exchanges.filter(({ operation }) => followed.includes(operation));
    const waited = [0, 1].map((nth) => tries.filter(({ attempt }) => attempt === 2)[nth]?.intendedAt ?? 0);
    expect(new Set(tries.slice(0, 2).map(({ intendedAt }) => intendedAt)).size).toBe(1);
    expect(Math.abs((waited[0] ?? 0) - (waited[1] ?? 0))).toBeGreaterThan(50_000);
  });
});
