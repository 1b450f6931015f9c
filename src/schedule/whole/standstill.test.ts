import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { answering, answeringLate, connectedBy } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation } from './small-runs.exam.ts';

const slowToIssue = answeringLate(({ operation }) => (operation === 'issueToken' ? 1_500_000 : 0));
/** Says that its tokens live for a second. */
const shortLived = answering(({ operation }, { body }) =>
  operation === 'issueToken' ? { body: { ...(body as object), expires_in: 1 } } : {},
);

describe('a run does not deadlock', () => {
  it('if a token is due for renewal while requests hold the only connection, or wait for it', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        sandbox: { tokenLifetime: '2s' },
        journeys: { a: { steps: [conversation], onRefused: 'continue' } },
        load: { model: 'constant-rate', rate: '14/s', duration: '6s' },
        deadline: '1min',
      },
      // 60 ms a request: at 14 a second, with their tokens, the one connection is nearly always held and waited for.
      { wrap: connectedBy(1), delayUs: () => [30_000 as Micros, 30_000 as Micros] },
    );
    expect(journeys.map(({ outcome }) => outcome)).toEqual(Array(84).fill('completed'));
    expect(exchanges.filter(({ status }) => status === 401)).toEqual([]);
    expect(exchanges.filter(({ operation }) => operation === 'createConversation')).toHaveLength(84);
    expect(exchanges.filter(({ operation }) => operation === 'issueToken').length).toBeGreaterThan(3);
  });

  it('if tokens expire faster than they are issued: each is used once', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        journeys: { a: { steps: [conversation, { readHistory: {} }] } },
        load: { model: 'burst', count: 1 },
        deadline: '1min',
      },
      { wrap: (sender, clock) => shortLived(slowToIssue(sender, clock), clock) },
    );
    expect(exchanges.map(({ operation }) => operation)).toEqual([
      'issueToken',
      'createConversation',
      'issueToken',
      'readHistory',
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('if messages are accepted with a status other than success: their openTurns slots are given back', async () => {
    const { exchanges, journeys } = await runVirtualScenario(
      {
        caps: { openTurns: 1 },
        users: 2,
        journeys: { a: { steps: [conversation, { sendMessage: { message: 'Hello' }, onError: 'continue' }] } },
        load: { model: 'closed-users', users: 2, iterations: 1 },
        deadline: '1min',
      },
      { wrap: answering(({ operation }) => (operation === 'sendMessage' ? { status: 200 } : {})) },
    );
    expect(exchanges.filter(({ operation }) => operation === 'sendMessage').map(({ status }) => status)).toEqual([
      200, 200,
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
  });

  it('if tokens expire before a connection is free: after a few the request is given up', async () => {
    const { exchanges, journeys, drops } = await runVirtualScenario(
      {
        users: 3,
        sandbox: { tokenLifetime: '1s' },
        journeys: { a: { steps: [conversation] } },
        load: { model: 'burst', count: 6 },
      },
      { wrap: (sender, clock) => connectedBy(1)(answeringLate(() => 700_000)(sender, clock), clock) },
    );
    const operations = exchanges.map(({ operation }) => operation);
    expect(operations.filter((name) => name === 'issueToken')).toHaveLength(15);
    const because = 'tokens end before they can be used';
    const ended = journeys.map(({ arrival, outcome, stoppedAt }) => [arrival, outcome, stoppedAt?.because]);
    expect(ended).toContainEqual([0, 'stopped', because]);
    // Those that asked for no token of their own have no exchange.
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual(
      [3, 4, 5].map((arrival) => [arrival, 'no-token']),
    );
  });
});
