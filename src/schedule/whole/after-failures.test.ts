import { describe, expect, it } from 'vitest';
import { answering, answeringLate, failing } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation, message, once } from './small-runs.exam.ts';

const seconds = (us: number) => Math.round(us / 10_000) / 100;

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

  it.each(['issueToken', 'createConversation'])(
    'is refused with 503, too, if the profile says so, and so is any request: %s',
    async (operation) => {
      const written = { onRefused: { retry: { max: 3 } }, journeys: { a: { steps: [conversation] } }, load: once };
      const told = async (errorCodes: { rate: string[]; otherStatuses?: number[] }) => {
        const wrap = failing(operation, 503, { times: 1, headers: { 'retry-after': '2' } });
        const { journeys } = await runVirtualScenario({ ...written, profile: { errorCodes } }, { wrap });
        return journeys.map(({ outcome }) => outcome);
      };
      expect(await told({ rate: ['busy'] })).toEqual(['stopped']);
      expect(await told({ rate: ['busy'], otherStatuses: [503] })).toEqual(['completed']);
      expect(await told({ rate: ['slow'], otherStatuses: [503] })).toEqual(['stopped']);
    },
  );

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

describe('after a further conversation that was not created, as the step expects', () => {
  it('the journey stays in the one that it has', async () => {
    let created = 0;
    const chosen = { createConversation: { conversation: 'chosen' as const } };
    const refused = { createConversation: { title: 'Further' }, expect: { status: 409 } };
    const burst = { of: 'sendMessage' as const, count: 2, conversations: 1, message: 'Hello' };
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps: [chosen, refused, { readHistory: {} }, { burst }] } }, load: once },
      {
        wrap: answering(({ operation }) =>
          operation === 'createConversation' && ++created === 2 ? { status: 409, body: { error: { code: 'x' } } } : {},
        ),
      },
    );
    const first = exchanges[1]?.conversation;
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(journeys[0]?.outcome).toBe('completed');
    expect(exchanges.slice(3).map((one) => [one.operation, one.status, one.conversation])).toEqual([
      ['readHistory', 200, first],
      ['sendMessage', 202, first],
      ['sendMessage', 202, first],
    ]);
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
