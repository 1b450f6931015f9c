import { describe, expect, it } from 'vitest';
import type { Micros, VirtualClock } from '../../base/index.ts';
import { runVirtualScenario } from '../../testing/virtual.ts';
import type { Sender } from '../index.ts';
import { conversation, once, seconds } from '../whole/small-runs.exam.ts';

describe('caps', () => {
  const messages = (count: number) => ({
    journeys: { a: { steps: [conversation, { burst: { count, follow: { by: 'stream' as const } } }] } },
    load: once,
  });

  it('openTurns keeps turns open below the limit by waiting, and stamps the wait', async () => {
    const { exchanges } = await runVirtualScenario({ ...messages(5), caps: { openTurns: 2 } });
    const sent = exchanges.filter(({ operation }) => operation === 'sendMessage');
    expect(sent.map(({ outcome }) => outcome)).toEqual(Array(5).fill('answered'));
    expect(sent.map(({ sentAt }) => seconds(sentAt))).toEqual([0.04, 0.04, 5.05, 5.05, 10.06]);
    expect(sent.map(({ capWaitUs }) => capWaitUs?.openTurns)).toEqual([
      undefined,
      undefined,
      5_010_000,
      5_010_000,
      10_020_000,
    ]);
    expect(sent.every(({ intendedAt }) => intendedAt === 40_000)).toBe(true);
  });

  it('openTurns gets the slot of a turn that nothing follows back when its journey ends', async () => {
    const { exchanges } = await runVirtualScenario({
      caps: { openTurns: 1 },
      journeys: { a: { steps: [conversation, { sendMessage: { message: 'Hello' } }] } },
      load: { model: 'burst', count: 2 },
    });
    const sent = exchanges.filter(({ operation }) => operation === 'sendMessage');
    expect(sent.map(({ sentAt, capWaitUs }) => [sentAt, capWaitUs?.openTurns])).toEqual([
      [40_000, undefined],
      [60_000, 20_000],
    ]);
  });

  it('without caps the third of three is refused', async () => {
    const { exchanges } = await runVirtualScenario({ ...messages(3), onRefused: 'continue' });
    const outcomes = exchanges
      .filter(({ operation }) => operation === 'sendMessage')
      .map(({ outcome, error }) => error?.code ?? outcome);
    expect(outcomes).toEqual(['answered', 'answered', 'concurrency_limited']);
  });

  it('requestsPerMinute lets no more than that go in any minute of the service', async () => {
    const steps = [conversation, { burst: { of: 'readHistory' as const, count: 50 } }];
    const { exchanges } = await runVirtualScenario({
      caps: { requestsPerMinute: 20 },
      sandbox: { clockRate: 2 },
      journeys: { a: { steps } },
      load: once,
    });
    const counted = exchanges
      .filter(({ operation }) => operation !== 'issueToken')
      .map(({ sentAt }) => sentAt)
      .sort((a, b) => a - b);
    expect(counted).toHaveLength(51);
    // Longer than the minute by 20 ms, for a request that travels faster than the one a minute before it.
    expect(Math.min(...counted.slice(20).map((at, k) => at - (counted[k] ?? 0)))).toBe(30_020_000);
    expect(exchanges.some(({ outcome }) => outcome === 'refused')).toBe(false);
  });

  it.each(['a connection', 'a slot in flight'])(
    'requestsPerMinute counts what is sent, also where that waited for %s after its turn had come',
    async (scarce) => {
      let clock: VirtualClock | undefined;
      let calls = 0;
      // Two and a half minutes without a connection, or two answers that take half a minute each.
      const late = (sender: Sender): Sender => ({
        ...sender,
        tryAcquire: () => undefined,
        acquire: async (signal) => {
          if ((clock?.now() ?? 0) > 100_000_000) await clock?.sleepUntil(150_000_000 as Micros, signal);
          return sender.acquire(signal);
        },
      });
      const { exchanges } = await runVirtualScenario(
        {
          caps: { requestsPerMinute: 3, ...(scarce === 'a connection' ? {} : { inFlight: 1 }) },
          journeys: { a: { steps: [conversation, { pause: '1s' }, { burst: { of: 'readHistory', count: 9 } }] } },
          load: once,
        },
        {
          ...(scarce === 'a connection' ? { wrap: late } : {}),
          delayUs: () => {
            calls += 1;
            const isSlow = scarce !== 'a connection' && (calls === 3 || calls === 4);
            return [10_000 as Micros, (isSlow ? 29_000_000 : 10_000) as Micros];
          },
          interrupt: (_, virtual) => {
            clock = virtual;
          },
        },
      );
      const sent = exchanges
        .filter(({ operation }) => operation !== 'issueToken')
        .map(({ sentAt }) => sentAt)
        .sort((a, b) => a - b);
      expect(sent).toHaveLength(10);
      const spans = sent.slice(3).map((at, index) => at - (sent[index] ?? 0));
      expect(Math.min(...spans)).toBeGreaterThan(60_000_000);
      // And no more than is needed: what waits for its minute goes with the first of the next.
      expect(spans.filter((us) => us > 91_000_000)).toEqual([]);
    },
  );

  it('inFlight bounds requests without an answer', async () => {
    const steps = [conversation, { burst: { of: 'readHistory' as const, count: 6 } }];
    const { exchanges } = await runVirtualScenario({ caps: { inFlight: 2 }, journeys: { a: { steps } }, load: once });
    const reads = exchanges.filter(({ operation }) => operation === 'readHistory');
    expect(reads.map(({ sentAt }) => sentAt)).toEqual([40_000, 40_000, 60_000, 60_000, 80_000, 80_000]);
    expect(reads.map(({ capWaitUs }) => capWaitUs?.inFlight)).toEqual([
      undefined,
      undefined,
      20_000,
      20_000,
      40_000,
      40_000,
    ]);
  });

  it('whenFull: drop leaves arrivals out, each with its record', async () => {
    const { exchanges, drops, journeys } = await runVirtualScenario({
      caps: { inFlight: 1, whenFull: 'drop' },
      journeys: { a: { steps: [{ issueToken: {} }] } },
      load: { model: 'burst', count: 4, gap: '15ms' },
    });
    expect(journeys.map(({ arrival }) => arrival)).toEqual([0, 2]);
    expect(drops.map(({ arrival, intendedAt, reason }) => [arrival, intendedAt, reason])).toEqual([
      [1, 15_000, 'max-in-flight'],
      [3, 45_000, 'max-in-flight'],
    ]);
    expect(exchanges).toHaveLength(2);
  });
});
