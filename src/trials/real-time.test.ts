import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { initProject } from '../run/init-project.ts';
import { inRealTime, type LoadedScenario, loadScenario } from '../scenario/index.ts';
import { temporaryFolder } from '../testing/cli.ts';
import { caseOf, playAgainst, settingsOf, twinOf } from './matrix/case.ts';
import { chargesIn } from './matrix/convict.ts';
import { loadShipped } from './matrix/matrix.ts';

/** What proves the violation of a limit at a service in real time that has the defect, and at one that differs in the defect alone. */
async function proofsOf(loaded: LoadedScenario) {
  expect(loaded.scenario.sandbox.clockRate).toBe(1);
  const about = caseOf(loaded, { defect: 'O24' });
  if ('lacks' in about) throw new Error(about.lacks);
  const proofs = async (settings: typeof about.settings) =>
    chargesIn(await playAgainst(loaded, settings), about)
      .filter(({ manner }) => manner === 'verdict')
      .map(({ what }) => what);
  return { guilty: await proofs(about.settings), honest: await proofs(twinOf(about.settings)) };
}

async function written(): Promise<LoadedScenario> {
  const folder = temporaryFolder();
  initProject(folder);
  return loadScenario(join(folder, 'scenarios/rate-limit.yaml'), { env: {} });
}

describe('a rate limit that admits one too many, at a service in real time', () => {
  it('is proven by the shipped scenario with --real-time, and the honest twin is not accused', async () => {
    const loaded = inRealTime(await loadShipped('rate-limit-20-per-minute.yaml'));
    expect(await proofsOf(loaded)).toEqual({ guilty: ['rate over-admission'], honest: [] });
  });

  it('is proven by the scenario that init writes, and the honest twin is not accused', async () => {
    expect(await proofsOf(await written())).toEqual({ guilty: ['rate over-admission'], honest: [] });
  });
});

it('both go on after a refusal that does not say when to come back, as those of many gateways', async () => {
  for (const loaded of [inRealTime(await loadShipped('rate-limit-20-per-minute.yaml')), await written()]) {
    const records = await playAgainst(loaded, settingsOf(loaded, { defect: 'H3' }));
    expect(records.some((record) => record.kind === 'exchange' && record.retryAfter !== undefined)).toBe(false);
    const ends = records.filter((record) => record.kind === 'journey');
    expect(ends.map(({ outcome }) => outcome)).toEqual(['completed']);
  }
});
