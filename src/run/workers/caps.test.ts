import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { type Results, resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

interface Span {
  readonly from: number;
  readonly to: number;
}

/** The most at one instant; at equal instants, ends come before starts. */
function mostAtOnce(spans: readonly Span[]): number {
  const changes = spans.flatMap(({ from, to }) => [
    { at: from, by: 1 },
    { at: to, by: -1 },
  ]);
  let open = 0;
  let most = 0;
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    open += by;
    most = Math.max(most, open);
  }
  return most;
}

/** From the sending of a message until its turn was seen to end, which is how long its slot is held. */
function openTurns({ exchanges }: Results): readonly Span[] {
  return exchanges
    .filter(({ operation, status }) => operation === 'sendMessage' && status === 202)
    .map(({ sentAt, turn }) => {
      const last = exchanges.findLast((other) => other.operation === 'readTurn' && other.turn?.id === turn?.id);
      expect(last?.turn?.status).toBe('completed');
      return { from: sentAt, to: last?.receivedAt ?? 0 };
    });
}

async function withTwoWorkers(scenario: string): Promise<Results> {
  const out = join(temporaryFolder(), 'out');
  const args = ['run', scenarioFile(scenario), '--quiet', '--workers', '2', '--out', out];
  const { code, err } = await typed(args);
  // Whether the machine was too busy for valid numbers does not matter here.
  expect([0, 11], err).toContain(code);
  const results = resultsIn(out);
  // One worker may have all of the arrivals that are dropped while others hold the cap.
  const took = [...results.exchanges, ...results.drops].map(({ worker }) => worker);
  expect(new Set(took)).toEqual(new Set([1, 2]));
  expect(results.end?.complete).toBe(true);
  return results;
}

const waited = ({ exchanges }: Results, cap: 'openTurns' | 'inFlight' | 'requestsPerMinute') =>
  new Set(exchanges.filter(({ capWaitUs }) => capWaitUs?.[cap] !== undefined).map(({ worker }) => worker));

const limits = 'limits: { rate: { max: 1000000 }, daily: { max: 1000000 }';
const quick =
  'latency: { queued: { distribution: constant, value: 0ms }, processing: { distribution: constant, value: 30ms } }';

describe.concurrent('caps over two workers', { timeout: PATIENCE_MS }, () => {
  it('openTurns: never more than two turns of eight users, so that a limit of two refuses none', async () => {
    const results = await withTwoWorkers(`
name: turns
users: 8
profile: { ${limits}, concurrency: { max: 2 } } }
sandbox: { ${quick} }
caps: { openTurns: 2 }
journeys:
  ask:
    steps:
      - createConversation: {}
      - repeat: { times: 4, steps: [{ sendMessage: { message: Hello } }, { followTurn: { interval: 10ms } }] }
load: { model: burst, count: 8 }
`);
    const turns = openTurns(results);
    expect(turns).toHaveLength(32);
    expect(mostAtOnce(turns)).toBe(2);
    expect(results.exchanges.filter(({ status }) => status === 429)).toEqual([]);
    expect(waited(results, 'openTurns')).toEqual(new Set([1, 2]));
  });

  it('inFlight: no more requests in flight than allowed, and with whenFull: drop, arrivals that find it full are dropped', async () => {
    const scenario = (more: string) => `
name: flights
users: 8
profile: { ${limits}, concurrency: { max: 1000 } } }
caps: { inFlight: 2${more} }
journeys: { read: { steps: [{ createConversation: {} }, { repeat: { times: 10, steps: [{ readHistory: {} }] } }] } }
load: { model: burst, count: 40 }
`;
    const waiting = await withTwoWorkers(scenario(''));
    const spans = (results: Results) =>
      results.exchanges.map(({ sentAt, receivedAt }) => ({ from: sentAt, to: receivedAt }));
    expect(mostAtOnce(spans(waiting))).toBe(2);
    expect(waited(waiting, 'inFlight')).toEqual(new Set([1, 2]));
    expect(waiting.journeys).toHaveLength(40);
    const dropping = await withTwoWorkers(
      scenario(', whenFull: drop').replace(
        'model: burst, count: 40',
        'model: constant-rate, rate: 400/s, duration: 1s',
      ),
    );
    expect(mostAtOnce(spans(dropping))).toBeLessThanOrEqual(2);
    expect(dropping.drops.length).toBeGreaterThan(0);
    expect(dropping.drops.map(({ reason }) => reason)).toEqual(dropping.drops.map(() => 'max-in-flight'));
    expect(dropping.drops.length + dropping.journeys.length).toBe(400);
    expect(dropping.end).toMatchObject({ arrivals: 400, drops: dropping.drops.length });
  });

  it('requestsPerMinute: both workers together send no more in a minute than allowed', async () => {
    const results = await withTwoWorkers(`
name: minute
users: 6
profile: { ${limits}, concurrency: { max: 1000 } } }
sandbox: { clockRate: 60 }
caps: { requestsPerMinute: 20 }
journeys: { read: { steps: [{ createConversation: {} }, { repeat: { times: 9, steps: [{ readHistory: {} }] } }] } }
load: { model: burst, count: 6 }
`);
    const instants = results.exchanges
      .filter(({ operation }) => operation !== 'issueToken')
      .map(({ sentAt }) => sentAt);
    instants.sort((a, b) => a - b);
    expect(instants).toHaveLength(60);
    // A minute of a service whose clock runs sixty times as fast. A loaded machine may hold a thread up between its turn and its
    // request; two workers that did not count together would send forty at once.
    const gaps = instants.slice(20).map((at, n) => at - (instants[n] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(600_000);
    expect((instants[59] ?? 0) - (instants[0] ?? 0)).toBeGreaterThan(1_600_000);
    expect(waited(results, 'requestsPerMinute')).toEqual(new Set([1, 2]));
  });
});
