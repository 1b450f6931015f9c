import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { rateAlgorithmNames } from '../../api/index.ts';
import { ConfigurationError } from '../../base/index.ts';
import { loadScenario } from '../load.ts';

const head = `name: limits
load: { model: burst, count: 1 }
journeys: { ask: { steps: [{ pause: 1s }] } }
sandbox:
`;

/** The sandbox's limits of a scenario, or its problems, one per line. */
async function limitsOf(sandbox: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-limits-'));
  const file = join(folder, 's.yaml');
  writeFileSync(file, head + sandbox);
  try {
    return (await loadScenario(file, { env: {} })).scenario.sandbox.limits;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.replaceAll(`${folder}/`, '').split('\n');
  }
}

test('times that the sandbox cannot keep are reported at their places', async () => {
  expect(await limitsOf('  startTime: 1969-12-31T23:59:59Z\n  tokenLifetime: 1us\n  defectLag: 3601s\n')).toEqual([
    's.yaml:5:14 sandbox.startTime: must lie from 1970 to 2199',
    's.yaml:6:18 sandbox.tokenLifetime: must be at least 1ms',
    's.yaml:7:14 sandbox.defectLag: must be from 1us to 1h',
  ]);
  expect(await limitsOf('  startTime: 2199-12-31T23:59:59Z\n  tokenLifetime: 1ms\n  defectLag: 1h\n')).toBeUndefined();
});

describe("the sandbox's limits in a scenario", () => {
  test('are numbers, settings, lists of settings, or none', async () => {
    expect(await limitsOf('  limits: { rate: 7, concurrency: 1, daily: 3 }\n')).toEqual({
      rate: 7,
      concurrency: 1,
      daily: 3,
    });
    expect(
      await limitsOf(`  limits:
    order: [daily, concurrency, rate]
    rate: { max: 5, algorithm: sliding-log, window: 10s, scope: user }
    concurrency: []
    daily:
      - { day: token-timezone, scope: user }
      - { max: 500 }
`),
    ).toEqual({
      order: ['daily', 'concurrency', 'rate'],
      rate: { max: 5, algorithm: 'sliding-log', window: 10_000, scope: 'user' },
      concurrency: [],
      daily: [{ day: 'token-timezone', scope: 'user' }, { max: 500 }],
    });
    expect(await limitsOf('  clockRate: 2\n')).toBeUndefined();
  });

  test('are refused with every mistake at its place', async () => {
    expect(
      await limitsOf(`  limits:
    order: [rate, rate, daily]
    rate: { max: 0, algorithm: slidin-log, windw: 60s }
    concurrency: { algorithm: lease }
    daily: [{ day: local }, { max: five }]
    speed: 3
`),
    ).toEqual([
      's.yaml:6:12 sandbox.limits.order: must name rate, concurrency, daily, each once',
      's.yaml:7:18 sandbox.limits.rate.max: must be at least 1',
      `s.yaml:7:32 sandbox.limits.rate.algorithm: must be ${rateAlgorithmNames.slice(0, -1).join(', ')} or ${rateAlgorithmNames.at(-1)}, not "slidin-log"; did you mean sliding-log?`,
      's.yaml:7:44 sandbox.limits.rate.windw: unknown key "windw"; did you mean window?',
      's.yaml:8:18 sandbox.limits.concurrency.ttl: is missing; a lease needs one, for example ttl: 30s',
      's.yaml:9:20 sandbox.limits.daily[0].day: must be utc, token-timezone, first-use or rolling, not "local"',
      's.yaml:9:36 sandbox.limits.daily[1].max: must be a number, not "five"',
      's.yaml:10:5 sandbox.limits.speed: unknown key "speed"; allowed here: rate, concurrency, daily, order',
    ]);
  });

  test('take the settings of an algorithm with that algorithm only', async () => {
    expect(await limitsOf('  limits: { rate: { algorithm: sliding-log, burst: 3 } }\n')).toEqual([
      's.yaml:5:52 sandbox.limits.rate.burst: does not apply to sliding-log; it belongs to token-bucket, token-bucket-per-tick, token-bucket-per-window, gcra, leaky-queue',
    ]);
  });

  test('cannot be arbitrary strings', async () => {
    expect(await limitsOf('  limits: { rate: fast }\n')).toEqual([
      's.yaml:5:19 sandbox.limits.rate: must be a number, an object or a list, not "fast"',
    ]);
  });
});
