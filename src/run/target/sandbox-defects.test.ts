import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DefectId, TargetProfileSchema } from '../../api/index.ts';
import { ConfigurationError, type Micros } from '../../base/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { settle } from '../../sandbox/index.ts';
import { loadScenario } from '../../scenario/index.ts';
import { loadedFrom, runVirtualScenario } from '../../testing/virtual.ts';
import { rehearse } from '../forecast/rehearse.ts';
import { sandboxSettings } from './target.ts';

/** A burst of 24 conversations at the 5th second of a minute. */
const burst = (sandbox: object) => ({
  sandbox: { startTime: '2026-01-15T09:00:05Z', ...sandbox },
  journeys: { start: { onRefused: 'continue' as const, steps: [{ createConversation: {} }] } },
  load: { model: 'burst' as const, count: 24 },
});
const settled = (sandbox: object, profile: object = {}) =>
  settle(sandboxSettings({ ...loadedFrom(burst(sandbox)), profile: TargetProfileSchema.parse(profile) }));

describe("a scenario's defects", () => {
  it('are in the sandbox that serves it', async () => {
    const statuses = async (defects: DefectId[], more = {}) => {
      const { exchanges } = await runVirtualScenario(burst({ defects, ...more }));
      const asked = exchanges.filter(({ operation }) => operation === 'createConversation');
      return [201, 429].map((status) => asked.filter((each) => each.status === status).length);
    };
    expect(await statuses([])).toEqual([20, 4]);
    expect(await statuses(['O24'])).toEqual([21, 3]);
    expect(await statuses(['O1'])).toEqual([24, 0]);
    expect(await statuses(['O1'], { defectLag: '1us' })).toEqual([24, 0]);
  });

  it('take precedence over the profile’s algorithm, day and limits, but not over the scenario’s', () => {
    const profile = { limits: { rate: { max: 9, reading: 'token-bucket' }, daily: { day: 'rolling' } } };
    const { limits } = settled({ defects: ['O16', 'D6'] }, profile);
    expect(limits.rate).toMatchObject([{ max: 9, algorithm: 'sliding-counter' }]);
    expect(limits.daily).toMatchObject([{ day: 'utc' }]);
    expect(settled({ defects: ['S5'] }, profile).limits.rate).toMatchObject([
      { max: 9, scope: 'user', algorithm: 'token-bucket' },
      { max: 9, scope: 'application', algorithm: 'token-bucket' },
    ]);
    expect(() => settled({ defects: ['O16'], limits: { rate: { algorithm: 'gcra' } } })).toThrow(
      'O16 is a defect of sliding-counter, but limits.rate is gcra',
    );
  });

  it('do not affect the price, which is that of a service without defects', async () => {
    const loaded = loadedFrom(burst({ defects: ['O1'] }));
    const { measurements } = await rehearse(loaded, compilePlan(loaded.scenario), true, {
      turnQuantile: 0.5,
      roundTripUs: 1_000 as Micros,
    });
    expect(measurements.summary().refusals.byLimit.rate).toBe(4);
  });

  it('that do not exist are reported with their line', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'spillway-defects-')), 's.yaml');
    const journeys = 'journeys: { ask: { steps: [{ pause: 1s }] } }';
    writeFileSync(
      file,
      `name: s\nload: { model: burst, count: 1 }\n${journeys}\nsandbox:\n  defects:\n    - O24\n    - O99\n`,
    );
    const error = await loadScenario(file, { env: {} }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).problems).toMatchObject([{ line: 7, column: 7, path: 'sandbox.defects[1]' }]);
  });
});
