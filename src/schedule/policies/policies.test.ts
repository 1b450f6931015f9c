import { describe, expect, it } from 'vitest';
import { answering } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation, once, seconds } from '../whole/small-runs.exam.ts';

describe('policies', () => {
  const flood = (policy: object) => ({
    journeys: { a: { ...policy, steps: [conversation, { repeat: { times: 21, steps: [{ readHistory: {} }] } }] } },
    load: once,
  });

  it('stop is the default: the journey ends with the first refusal', async () => {
    const { exchanges, journeys } = await runVirtualScenario(flood({}));
    expect(exchanges.filter(({ outcome }) => outcome === 'refused')).toHaveLength(1);
    expect(exchanges).toHaveLength(22);
    expect(journeys[0]).toMatchObject({
      outcome: 'stopped',
      stoppedAt: { operation: 'readHistory', because: '429 rate_limited' },
    });
  });

  it('continue goes on', async () => {
    const { exchanges, journeys } = await runVirtualScenario(flood({ onRefused: 'continue' }));
    expect(exchanges.filter(({ outcome }) => outcome === 'refused')).toHaveLength(2);
    expect(journeys[0]?.outcome).toBe('completed');
  });

  it('retry waits as Retry-After advises, and each retry is an exchange of its own', async () => {
    const { exchanges } = await runVirtualScenario(flood({ onRefused: { retry: { max: 2 } } }));
    const [refused, retried] = exchanges.filter(({ attempt, outcome }) => attempt === 2 || outcome === 'refused');
    expect(refused).toMatchObject({ outcome: 'refused', attempt: 1, retryAfter: '60' });
    expect(retried).toMatchObject({
      outcome: 'answered',
      attempt: 2,
      intendedAt: (refused?.receivedAt ?? 0) + 60_000_000,
    });
  });

  it('counts Retry-After in seconds of the service: at clock rate 60, a minute is a second', async () => {
    const { exchanges } = await runVirtualScenario({
      ...flood({ onRefused: { retry: { max: 2 } } }),
      sandbox: { clockRate: 60 },
    });
    const refused = exchanges.find(({ outcome }) => outcome === 'refused');
    const retried = exchanges.find(({ attempt }) => attempt === 2);
    const advised = Number(refused?.retryAfter);
    expect((retried?.intendedAt ?? 0) - (refused?.receivedAt ?? 0)).toBe(Math.ceil((advised * 1_000_000) / 60));
    expect(retried?.outcome).toBe('answered');
  });

  it('backoff without advice doubles up to its ceiling, then the policy says what next', async () => {
    const retry = {
      max: 4,
      obeyRetryAfter: false,
      backoff: { first: '1s', factor: 2, ceiling: '3s' },
      afterwards: 'continue' as const,
    };
    const { exchanges, journeys } = await runVirtualScenario(flood({ onRefused: { retry } }));
    const tries = exchanges.filter(({ step, attempt, outcome }) => outcome === 'refused' && step === 21 && attempt > 0);
    const gaps = tries.slice(1).map(({ intendedAt }, index) => seconds(intendedAt - (tries[index]?.receivedAt ?? 0)));
    expect(gaps).toEqual([1, 2, 3, 3]);
    expect(journeys[0]?.outcome).toBe('completed');
  });

  it.each([
    [{ failure: 'ECONNRESET' }, 'ECONNRESET'],
    [{ status: 503, body: {} }, 'status 503'],
    [{ status: 503, body: { error: { code: 'busy' } } }, 'status 503 busy'],
    [{ status: 429, body: {} }, '429'],
    [{ body: {} }, 'wrong-shape'],
  ])('stop because of %j says: %s', async (answer, because) => {
    const { journeys } = await runVirtualScenario(
      { journeys: { a: { steps: [conversation] } }, load: once },
      { wrap: answering(({ operation }) => (operation === 'createConversation' ? answer : {})) },
    );
    expect(journeys.map(({ stoppedAt }) => stoppedAt)).toEqual([{ operation: 'createConversation', because }]);
  });

  it.each([
    ['issueToken', { issueToken: {} }, 200],
    ['rateAnswer', { rateAnswer: { rating: 'up' } }, 201],
  ] as const)(
    '%s has no status of success in the specification: 200 and 201 are none the worse',
    async (id, step, status) => {
      const message = [conversation, { sendMessage: { message: 'Hello' } }, { followTurn: {} }];
      const { journeys, exchanges } = await runVirtualScenario(
        { journeys: { a: { steps: [...message, step] } }, load: once },
        { wrap: answering(({ operation }) => (operation === id ? { status } : {})) },
      );
      expect(exchanges.at(-1)).toMatchObject({ operation: id, status });
      expect(journeys[0]?.outcome).toBe('completed');
    },
  );

  it('an expected status is no error, even a refusal', async () => {
    const steps = [{ readHistory: { conversation: 'not-a-uuid' }, expect: { status: 422 } }, conversation];
    const { journeys, exchanges } = await runVirtualScenario({ journeys: { a: { steps } }, load: once });
    expect(journeys[0]?.outcome).toBe('completed');
    expect(exchanges[1]?.expect).toEqual({ checked: 1, unmet: [], namedStatus: true });
  });

  it('a status of success is no error that a step names, although the body is unusable', async () => {
    const steps = [{ ...conversation, expect: { status: 201 } }];
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      { wrap: answering(({ operation }) => (operation === 'createConversation' ? { body: {} } : {})) },
    );
    expect(exchanges[1]).toMatchObject({ status: 201, bodyProblem: 'wrong-shape' });
    expect(exchanges[1]?.expect).toEqual({ checked: 1, unmet: [] });
    expect(journeys[0]).toMatchObject({ outcome: 'stopped', stoppedAt: { because: 'wrong-shape' } });
  });

  it('an unmet expectation is recorded without the value that was found', async () => {
    const steps = [
      { createConversation: { title: 'A secret title' }, expect: { status: 200, body: { title: 'Another' } } },
    ];
    const { exchanges } = await runVirtualScenario({ onError: 'continue', journeys: { a: { steps } }, load: once });
    expect(exchanges[1]?.expect).toEqual({
      checked: 2,
      unmet: ['status: expected 200, found 201', 'title: expected "Another", found a string of 14 characters'],
    });
  });
});
