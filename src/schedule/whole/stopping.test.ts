import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { ask, conversation, once, seconds, stopAt } from './small-runs.exam.ts';

describe('stopping', () => {
  const burstOf = (count: number) => ({
    burst: { of: 'sendMessage' as const, count, gap: '1s' as const, message: 'a' },
  });
  const slow = {
    users: 3,
    journeys: { a: { onRefused: 'continue' as const, steps: ask } },
    load: { model: 'constant-rate' as const, rate: '1/s' as const, duration: '10s' },
  };

  it('gently: nothing new starts, what is open ends, every arrival has its journey or its drop', async () => {
    const { journeys, drops, exchanges, durationUs } = await runVirtualScenario(slow, stopAt(1_500_000, true));
    expect(journeys.map(({ arrival, outcome }) => [arrival, outcome])).toEqual([
      [0, 'completed'],
      [1, 'completed'],
    ]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((arrival) => [arrival, 'stopped']),
    );
    expect(exchanges.every(({ outcome }) => outcome === 'answered')).toBe(true);
    expect(seconds(durationUs)).toBeLessThan(8);
  });

  it('gently: a request that waits for a slot is sent no more, unless it sees the end of an accepted turn', async () => {
    const { exchanges, drops, durationUs } = await runVirtualScenario(
      {
        caps: { requestsPerMinute: 3 },
        journeys: { a: { steps: ask }, b: { steps: [{ pause: '150ms' }, conversation] } },
        load: [
          { model: 'burst', count: 1, journeys: ['a'] },
          { model: 'burst', count: 5, journeys: ['b'] },
        ],
      },
      stopAt(200_000, true),
    );
    const { requests, polls } = {
      requests: exchanges.filter(({ operation }) => operation !== 'issueToken' && operation !== 'readTurn'),
      polls: exchanges.filter(({ operation }) => operation === 'readTurn'),
    };
    expect(requests.every(({ sentAt }) => sentAt <= 200_000)).toBe(true);
    expect(polls.at(-1)?.turn?.status).toBe('completed');
    expect(drops.map(({ reason }) => reason)).toEqual(Array(drops.length).fill('stopped'));
    expect(drops.length).toBeGreaterThan(2);
    // One poll was let through at once, the next a minute later; none waited behind the five that had not begun.
    expect(polls.map(({ sentAt }) => Math.round(seconds(sentAt)))).toEqual([0, 60]);
    expect(Math.round(seconds(durationUs))).toBe(60);
  });

  it('gently: a request that is sent no more gives the slot of its minute to what follows a turn', async () => {
    const { exchanges } = await runVirtualScenario(
      {
        caps: { requestsPerMinute: 4, inFlight: 1 },
        journeys: { a: { steps: ask }, b: { steps: [{ pause: '1300ms' }, conversation] } },
        load: [
          { model: 'burst', count: 1, journeys: ['a'] },
          { model: 'burst', count: 1, journeys: ['b'] },
        ],
      },
      {
        delayUs: () => [200_000 as Micros, 200_000 as Micros],
        // The first poll is in flight from 1.2 s to 1.6 s; meanwhile the other journey has a slot of the minute and waits.
        ...stopAt(1_400_000, true),
      },
    );
    const polls = exchanges.filter(({ operation }) => operation === 'readTurn');
    expect(polls.map(({ sentAt }) => seconds(sentAt)).slice(0, 2)).toEqual([1.2, 2.2]);
  });

  it.each([
    ['a burst', [conversation, burstOf(3)], 1],
    [
      'a repeat',
      [conversation, { repeat: { times: 2, steps: [{ sendMessage: { message: 'a' } }, { pause: '1s' }] } }],
      1,
    ],
    ['a resend', [conversation, { sendMessage: { message: 'a' } }, { resend: { count: 2, gap: '1s' } }], 1],
    ['a burst that nothing follows', [conversation, burstOf(3), { pause: '1ms' }], 0],
  ])('gently, within %s: what was accepted is followed where that is the next step', async (_, steps, followed) => {
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps: [...steps, { followTurn: { turns: 'all' } }] } }, load: once },
      stopAt(500_000, true),
    );
    expect(
      exchanges.filter(({ operation }) => operation === 'sendMessage').every(({ sentAt }) => sentAt < 500_000),
    ).toBe(true);
    expect(exchanges.filter(({ turn }) => turn?.status === 'completed')).toHaveLength(followed);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['interrupted']);
  });

  it('gently, within the last request of a journey: it is completed, also if that read a full page', async () => {
    const steps = [conversation, { sendMessage: { message: 'a' } }, { readHistory: { limit: 1 } }];
    const run = (options?: Parameters<typeof runVirtualScenario>[1]) =>
      runVirtualScenario({ journeys: { a: { steps } }, load: once }, options);
    const page = (await run()).exchanges.find(({ operation }) => operation === 'readHistory');
    const { exchanges, journeys } = await run(stopAt((page?.sentAt ?? 0) + 1, true));
    expect(exchanges.at(-1)).toMatchObject({ operation: 'readHistory', outcome: 'answered' });
    expect(exchanges.at(-1)?.history?.items).toHaveLength(1);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed']);
  });

  it('at once: what is in flight is censored, nothing is lost', async () => {
    const { journeys, exchanges, records, durationUs } = await runVirtualScenario(slow, stopAt(1_005_000, false));
    expect(durationUs).toBe(1_005_000);
    expect(journeys.every(({ outcome }) => outcome === 'interrupted')).toBe(true);
    expect(
      exchanges
        .filter(({ outcome }) => outcome === 'censored')
        .map(({ failure, sentAt, receivedAt }) => [failure, sentAt, receivedAt]),
    ).toEqual([['stopped', 1_000_000, 1_005_000]]);
    expect(exchanges).toHaveLength(records.filter(({ kind }) => kind === 'sent').length);
  });

  it('at once: what is cut off is not held against what its step expects', async () => {
    const steps = [
      { issueToken: {}, expect: { status: 201 } },
      { ...conversation, expect: { status: 201 } },
    ];
    const { exchanges, journeys } = await runVirtualScenario(
      { journeys: { a: { steps } }, load: once },
      stopAt(25_000, false),
    );
    expect(exchanges.map(({ failure, expect: checked }) => [failure, checked])).toEqual([
      [undefined, { checked: 1, unmet: [] }],
      ['stopped', undefined],
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['interrupted']);
  });

  it('at once: nor is a stream whose turn had not ended', async () => {
    const listening = { followTurn: { by: 'stream' as const }, expect: { body: { status: 'completed' } } };
    const { streams } = await runVirtualScenario(
      { journeys: { a: { steps: [...ask.slice(0, 2), listening] } }, load: once },
      stopAt(500_000, false),
    );
    expect(streams.at(-1)).toMatchObject({ event: 'closed', reason: 'stopped' });
    expect(streams.at(-1)).not.toHaveProperty('expect');
  });
});
