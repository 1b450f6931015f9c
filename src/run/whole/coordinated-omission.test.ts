import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { spillway, temporaryFolder } from '../../testing/cli.ts';
import { expectLatenciesOfRows, percentileOf } from '../../testing/percentiles.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { answer, serveBadly, someCredentials } from '../../testing/service.ts';

const PER_SECOND = 40;
const SECONDS = 10;
const STALL_MS = 1_000;
const CONNECTIONS = 3;

const loopDelayUs = (record: JournalRecord): number => (record.kind === 'health' ? (record.eventLoopP99Us ?? 0) : 0);

/**
 * G. Tene, "How NOT to Measure Latency": a client that waits for a stalled server asks it less, and so hardly notices. Here
 * 40 requests a second are due whatever the server does. For one second of ten it answers nobody; by then each of the three
 * connections holds one request, and every other one that is due waits for them.
 */
it('a stall of one second in ten shows in response times, although service times hide it', async () => {
  let stallEndsAt = Number.POSITIVE_INFINITY;
  let metStall = 0;
  const serviceLoop = monitorEventLoopDelay();
  serviceLoop.enable();
  const service = await serveBadly({
    issueToken: (asked) => {
      if (asked.nth === PER_SECOND * 4) stallEndsAt = Date.now() + STALL_MS;
      const left = asked.nth < PER_SECOND * 4 ? 0 : stallEndsAt - Date.now();
      if (left > STALL_MS / 2) metStall++;
      setTimeout(() => answer(asked, 201, { access_token: `t${asked.nth}`, expires_in: 900 }), Math.max(0, left));
    },
  });
  const scenario = scenarioFile(`name: stall
${WHATEVER_THE_MACHINE}
profile: { client: { connections: ${CONNECTIONS}, deadline: 10s } }
users: 50
journeys: { token: { steps: [issueToken: {}] } }
load: { model: constant-rate, rate: ${PER_SECOND}/s, duration: ${SECONDS}s }`);
  const folder = join(temporaryFolder(), 'out');
  const finished = await spillway(['run', scenario, '--target', service.url, '--out', folder, '--quiet'], {
    env: someCredentials,
  });
  await service.close();
  serviceLoop.disable();
  expect(finished.code, finished.err).toBe(0);

  const results = resultsIn(folder);
  const rows = results.rows('requests.csv');
  expect(rows).toHaveLength(PER_SECOND * SECONDS);
  const sorted = (column: string) => rows.map((row) => Number(row[column])).sort((a, b) => a - b);
  const [serviceTimes, responseTimes] = [sorted('service_us'), sorted('response_us')];
  const stallUs = STALL_MS * 1_000;

  // At most one request per connection met the stall: under one in a hundred of them all.
  expect(metStall).toBeLessThanOrEqual(CONNECTIONS);
  // Forty were due during the stall; the first waits all of it, the last hardly any: half of them more than half of it.
  const late = responseTimes.filter((us) => us > stallUs / 2).length;
  expect(late).toBeGreaterThanOrEqual(PER_SECOND * 0.4);
  expect(percentileOf(responseTimes, 0.99)).toBeGreaterThan(stallUs * 0.75);
  expect(responseTimes.at(-1)).toBeGreaterThan(stallUs * 0.95);
  // Where the machine itself stalls generator or service, there are more stalls than this one.
  const heldUp = [serviceLoop.max / 1_000, ...results.records.map(loopDelayUs)];
  if (Math.max(...heldUp) < stallUs / 8) {
    expect(serviceTimes.filter((us) => us > stallUs / 2).length).toBeLessThanOrEqual(CONNECTIONS);
    expect(percentileOf(serviceTimes, 0.99)).toBeLessThan(percentileOf(responseTimes, 0.99) / 2);
    expect(percentileOf(responseTimes, 0.5)).toBeLessThan(stallUs / 4);
    // The wait has its name: a connection was not free.
    const waited = rows.filter((row) => Number(row.wait_connection_us) > stallUs / 4).length;
    expect(waited).toBeGreaterThanOrEqual(PER_SECOND * 0.5);
  }
  // It was measured, not made up for: requests were meant to leave evenly, and none was left out.
  const intended = sorted('intended_us');
  const gaps = intended.slice(1).map((at, index) => at - (intended[index] ?? 0));
  expect(new Set(gaps)).toEqual(new Set([1_000_000 / PER_SECOND]));

  // The summary says the same, within the precision of its histograms: all five percentiles are told of 400 samples but p99.9.
  expect(expectLatenciesOfRows(results)).toBe(2 * 2 * 4);
}, 60_000);
