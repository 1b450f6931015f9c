import { describe, expect, it } from 'vitest';
import { answering, answeringLate, refusingStreams } from '../testing/senders.ts';
import { runVirtualScenario } from '../testing/virtual.ts';
import type { Sender } from './index.ts';
import { conversation, once, stopAt } from './small-runs.exam.ts';

const message = { sendMessage: { message: 'Hello' } };
const seconds = (us: number) => Math.round(us / 10_000) / 100;

/** What is answered with another status from an instant on, as often as said. */
function failing(operation: string, status: number, { times = 1_000, headers = {} as Record<string, string> } = {}) {
  let left = times;
  return answering((call) =>
    call.operation === operation && left-- > 0 ? { status, headers, body: { error: { code: 'busy' } } } : {},
  );
}

const withoutStreams = refusingStreams(503);

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
    expect(journeys[0]).toMatchObject({ endedAt: 1_060_000, stoppedAt: { because: 'turn deadline' } });
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

describe('a token that is refused', () => {
  it('is asked for again as the policy for refusals says, when the service advises', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      { onRefused: { retry: { max: 3 } }, journeys: { a: { steps: [conversation] } }, load: once },
      { wrap: failing('issueToken', 429, { times: 1, headers: { 'retry-after': '2' } }) },
    );
    expect(exchanges.map(({ operation, attempt, sentAt }) => [operation, attempt, seconds(sentAt)])).toEqual([
      ['issueToken', 1, 0],
      ['issueToken', 2, 2.02],
      // It was not sent before.
      ['createConversation', 1, 2.04],
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('is asked for no more often than the policy says', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        onRefused: { retry: { max: 2, backoff: { first: '1s', factor: 1, jitter: 0 } } },
        journeys: { a: { steps: [conversation] } },
        load: once,
      },
      { wrap: failing('issueToken', 429) },
    );
    expect(exchanges.map(({ operation, attempt }) => [operation, attempt])).toEqual([
      ['issueToken', 1],
      ['issueToken', 2],
      ['issueToken', 3],
    ]);
    expect(journeys[0]?.stoppedAt?.because).toBe('no token: status 429, retries used up');
  });

  it('moves what follows: each step is intended when the one before it was given up', async () => {
    let issued = 0;
    const { exchanges } = await runVirtualScenario(
      {
        onError: 'continue',
        journeys: { a: { steps: [{ issueToken: {} }, { pause: '1s' }, conversation, conversation, conversation] } },
        load: once,
      },
      {
        wrap: (sender, clock) =>
          answering(({ operation }, { body }) => {
            if (operation !== 'issueToken') return {};
            issued += 1;
            return issued === 1 ? { body: { ...(body as object), expires_in: 1 } } : { status: 503, body: {} };
          })(answeringLate(() => 500_000)(sender, clock), clock),
      },
    );
    const late = exchanges.map(({ intendedAt, sentAt }) => sentAt - intendedAt);
    expect(late).toEqual(late.map(() => 0));
    expect(exchanges.filter(({ operation }) => operation === 'issueToken')).toHaveLength(4);
  });
});

describe('after a refusal that a step expects', () => {
  it('nothing is there to be sent again', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        journeys: { a: { steps: [conversation, { ...message, expect: { status: [202, 429] } }, { resend: {} }] } },
        load: once,
      },
      { wrap: failing('sendMessage', 429, { times: 1 }) },
    );
    expect(exchanges.filter(({ operation }) => operation === 'sendMessage')).toHaveLength(1);
    expect(journeys[0]?.stoppedAt?.because).toBe('nothing to resend: no message was accepted before this step');
  });
});

describe('after a conversation that was not created', () => {
  it('none is there to be resumed: no other is created in its place', async () => {
    const resume = { createConversation: { conversation: 'resume' } } as const;
    const { exchanges, journeys } = await runVirtualScenario(
      { onError: 'continue', journeys: { a: { steps: [conversation, resume, { readHistory: {} }] } }, load: once },
      { wrap: failing('createConversation', 503, { times: 1 }) },
    );
    expect(exchanges.map(({ operation }) => operation)).toEqual(['issueToken', 'createConversation']);
    expect(journeys[0]?.stoppedAt?.because).toBe('no conversation: none was created before this step');
  });
});

describe('requests of one burst that are tried again', () => {
  it('each draw a wait of their own', async () => {
    const { exchanges } = await runVirtualScenario(
      {
        onError: { retry: { max: 1, backoff: { first: '500ms', jitter: 1 } } },
        journeys: { a: { steps: [conversation, { burst: { of: 'readHistory', count: 6 } }] } },
        load: once,
      },
      { wrap: failing('readHistory', 503) },
    );
    const again = exchanges.filter(({ attempt }) => attempt === 2).map(({ intendedAt }) => intendedAt);
    expect(new Set(again).size).toBe(6);
    expect(Math.max(...again) - Math.min(...again)).toBeGreaterThan(100_000);
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

describe('a burst whose conversations are not created', () => {
  it('stops the journey for the reason of the service', async () => {
    const burst = { of: 'sendMessage' as const, count: 2, conversations: 2, message: 'Hello' };
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps: [{ burst }] } }, load: once },
      { wrap: failing('createConversation', 503) },
    );
    expect(exchanges.map(({ operation }) => operation)).toEqual(['issueToken', 'createConversation']);
    expect(journeys[0]?.stoppedAt).toEqual({
      operation: 'createConversation',
      because: expect.stringContaining('status 503'),
    });
  });

  it('stops the journey even if it goes on after errors: there is nothing to send to', async () => {
    const burst = { of: 'sendMessage' as const, count: 2, conversations: 2, message: 'Hello' };
    const { journeys } = await runVirtualScenario(
      { onError: 'continue', journeys: { a: { steps: [{ burst }] } }, load: once },
      { wrap: failing('createConversation', 503) },
    );
    expect(journeys[0]?.stoppedAt).toEqual({
      operation: 'createConversation',
      because: 'a conversation for the burst could not be created',
    });
  });
});

describe('a history page of more than a page may have', () => {
  it('is kept as far as one more than that', async () => {
    const lists = { cards: [], visualizations: [], suggested_actions: [] };
    const item = { role: 'user', content: 'x', status: 'completed', created_at: '2026-01-15T09:00:00Z', ...lists };
    const messages = Array.from({ length: 5_000 }, (_, n) => ({
      ...item,
      message_id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    }));
    const { exchanges } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation, { readHistory: {} }] } }, load: once },
      { wrap: answering(({ operation }) => (operation === 'readHistory' ? { body: { messages } } : {})) },
    );
    expect(exchanges.at(-1)?.history?.items).toHaveLength(101);
  });
});
