import { describe, expect, it } from 'vitest';
import type { Clock, Micros, VirtualClock } from '../../base/index.ts';
import { answeringLate } from '../../testing/senders.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import { conversation } from './small-runs.exam.ts';

describe('a cap whose arrivals are dropped when it is full', () => {
  const dropping = (users: number, wrap = answeringLate(() => 500_000)) =>
    runVirtualScenario(
      {
        users,
        caps: { inFlight: 2, whenFull: 'drop' },
        journeys: { a: { steps: [conversation] } },
        load: { model: 'burst', count: 10 },
      },
      { wrap },
    );

  it('drops simultaneous arrivals for which it has no slot', async () => {
    const { journeys, drops } = await dropping(10);
    expect([journeys.length, drops.map(({ reason }) => reason)]).toEqual([2, Array(8).fill('max-in-flight')]);
  });

  it('with noCatchUp drops only for the cap, and the other arrivals start at their times', async () => {
    const jitter = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) => clock.sleepUntil((at + 150 + (at % 7) * 50) as Micros, signal),
    });
    const { exchanges, drops } = await runVirtualScenario(
      {
        caps: { inFlight: 1, whenFull: 'drop' },
        journeys: { a: { steps: [{ issueToken: {} }] } },
        load: { model: 'constant-rate', rate: '100/s', duration: '3s', noCatchUp: true },
      },
      { wrap: answeringLate(() => 30_000), generatorClock: jitter },
    );
    expect(new Set(drops.map(({ reason }) => reason))).toEqual(new Set(['max-in-flight']));
    expect(exchanges.length + drops.length).toBe(300);
    expect(exchanges.length).toBeGreaterThan(40);
    expect(Math.max(...exchanges.map(({ sentAt, intendedAt }) => sentAt - intendedAt))).toBeLessThan(2_000);
  });

  it('with noCatchUp drops an arrival that was held, and the next ones keep no distance to it', async () => {
    // The second arrival comes 12 ms late, so the third is held until 52 ms; another journey has the slot from 50 to 55 ms.
    const lateOnce = (clock: VirtualClock): Clock => ({
      now: () => clock.now(),
      sleepUntil: (at, signal) => clock.sleepUntil((at === 20_000 ? 32_000 : at) as Micros, signal),
    });
    const { exchanges, drops } = await runVirtualScenario(
      {
        caps: { inFlight: 1, whenFull: 'drop' },
        journeys: { a: { steps: [{ issueToken: {} }] }, b: { steps: [{ issueToken: {} }] } },
        load: [
          { model: 'constant-rate', rate: '50/s', duration: '100ms', noCatchUp: true, journeys: ['a'] },
          { model: 'burst', count: 1, start: '50ms', journeys: ['b'] },
        ],
      },
      { delayUs: () => [2_500 as Micros, 2_500 as Micros], generatorClock: lateOnce },
    );
    expect(drops.map(({ intendedAt, reason }) => [intendedAt, reason])).toEqual([[40_000, 'max-in-flight']]);
    expect(exchanges.map(({ intendedAt, sentAt }) => [intendedAt, sentAt])).toEqual([
      [0, 0],
      [20_000, 32_000],
      [50_000, 50_000],
      [60_000, 60_000],
      [80_000, 80_000],
    ]);
  });

  it('is not full because of requests that wait for a token that does not come', async () => {
    const { journeys, drops } = await runVirtualScenario(
      {
        users: 10,
        caps: { inFlight: 5, whenFull: 'drop' },
        journeys: { a: { steps: [conversation] } },
        load: { model: 'constant-rate', rate: '20/s', duration: '5s' },
      },
      {
        // The token of the first user takes ten seconds.
        wrap: answeringLate(({ operation, body }) =>
          operation === 'issueToken' && JSON.stringify(body).includes('"spillway-user-1"') ? 10_000_000 : 0,
        ),
      },
    );
    const served = new Set(journeys.filter(({ endedAt }) => endedAt < 6_000_000).map(({ arrival }) => arrival % 10));
    expect(served.size).toBe(9);
    expect(drops.every(({ arrival }) => arrival % 10 === 0)).toBe(true);
  });

  it('also counts requests that wait for another request’s token', async () => {
    const { journeys, drops } = await dropping(1);
    expect([journeys.length, drops.length]).toEqual([2, 8]);
  });

  it('is checked once for a journey that starts with several requests, so that they do not block each other', async () => {
    const { exchanges, journeys, drops } = await runVirtualScenario({
      users: 1,
      caps: { inFlight: 3, whenFull: 'drop' },
      journeys: {
        first: { steps: [conversation] },
        burst: { steps: [{ burst: { of: 'createConversation', count: 5 } }, conversation] },
      },
      load: [
        { model: 'burst', count: 1, journeys: ['first'] },
        // They wait for the token of the first.
        { model: 'burst', count: 1, journeys: ['burst'], start: '1ms' },
      ],
    });
    expect(exchanges.filter(({ arrival }) => arrival === 1).map(({ sentAt }) => sentAt)).toEqual([
      20_000, 20_000, 40_000, 40_000, 40_000, 60_000,
    ]);
    expect(journeys.map(({ outcome }) => outcome)).toEqual(['completed', 'completed']);
    expect(drops).toEqual([]);
  });

  it.each([
    ['in flight', { inFlight: 1 }, 'max-in-flight'],
    ['of open turns, which they do not count towards', { openTurns: 1 }, 'cap'],
  ] as const)(
    'sends nothing of a journey that found it full, also of what comes later: slots %s',
    async (_, caps, reason) => {
      const { exchanges, journeys, drops } = await runVirtualScenario(
        {
          users: 2,
          caps: { ...caps, whenFull: 'drop' },
          journeys: {
            asks: { steps: [{ pause: '15ms' }, conversation, { sendMessage: { message: 'Hello' } }] },
            burst: { steps: [{ pause: '75ms' }, { burst: { of: 'createConversation', count: 3, gap: '20ms' } }] },
          },
          load: [
            { model: 'burst', count: 1, journeys: ['asks'] },
            { model: 'burst', count: 1, journeys: ['burst'] },
          ],
        },
        { wrap: answeringLate(({ operation }) => (operation === 'sendMessage' ? 1_000_000 : 0)) },
      );
      expect(new Set(exchanges.map(({ arrival }) => arrival))).toEqual(new Set([0]));
      expect(journeys.map(({ arrival, outcome }) => [arrival, outcome])).toEqual([[0, 'completed']]);
      expect(drops.map(({ arrival, intendedAt, reason }) => [arrival, intendedAt, reason])).toEqual([[1, 0, reason]]);
    },
  );

  it('is checked at the arrival, although a journey that begins with a pause would find it free', async () => {
    const { exchanges, drops } = await runVirtualScenario({
      caps: { inFlight: 1, whenFull: 'drop' },
      journeys: { a: { steps: [{ pause: '15ms' }, { createConversation: {}, credentials: 'none' }] } },
      load: { model: 'constant-rate', rate: '40/s', duration: '75ms' },
    });
    expect(exchanges.map(({ arrival, sentAt }) => [arrival, sentAt])).toEqual([
      [0, 15_000],
      [2, 65_000],
    ]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual([[1, 'max-in-flight']]);
  });

  it('is checked when the first request can be sent, even after a pause, so that journeys that paused together do not queue for one slot', async () => {
    const { exchanges, drops } = await runVirtualScenario({
      users: 4,
      caps: { inFlight: 1, whenFull: 'drop' },
      journeys: {
        a: { steps: [{ pause: '1s' }, { createConversation: {}, credentials: 'none', expect: { status: 401 } }] },
      },
      load: { model: 'burst', count: 4 },
    });
    expect(exchanges.map(({ arrival, sentAt }) => [arrival, sentAt])).toEqual([[0, 1_000_000]]);
    expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual(
      [1, 2, 3].map((arrival) => [arrival, 'max-in-flight']),
    );
  });

  it.each([3, 100])(
    'is named by what is full: who waits for another cap fills none of %d slots in flight',
    async (inFlight) => {
      const waiting = [conversation, { burst: { of: 'createConversation' as const, count: 8 } }];
      const { drops } = await runVirtualScenario({
        caps: { inFlight, requestsPerMinute: 3, whenFull: 'drop' },
        journeys: { a: { steps: waiting } },
        load: { model: 'burst', count: 4, gap: '100ms' },
      });
      expect(drops.map(({ arrival, reason }) => [arrival, reason])).toEqual(
        [1, 2, 3].map((arrival) => [arrival, 'cap']),
      );
    },
  );
});
