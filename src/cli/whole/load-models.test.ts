import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LoadModel } from '../../scenario/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

interface Written {
  readonly load: string;
  /** How many it starts; absent: chance or the time decides. */
  readonly journeys?: number;
  /** The name of its first stage, if it has several. */
  readonly part?: string;
}

/** Each load model as it is written, within half a second. */
const written: Record<LoadModel['model'], Written> = {
  'constant-rate': { load: 'rate: 20/s, duration: 500ms', journeys: 10 },
  'ramping-rate': { load: 'from: 20/s, stages: [{ to: 40/s, duration: 400ms }]', journeys: 12 },
  steps: { load: 'from: 10/s, by: 10/s, steps: 2, each: 200ms', journeys: 6, part: 'stair-1' },
  spike: {
    load: 'base: 10/s, peak: 30/s, before: 200ms, ramp: 100ms, hold: 100ms, after: 100ms',
    journeys: 10,
    part: 'before',
  },
  poisson: { load: 'rate: 20/s, duration: 500ms' },
  gamma: { load: 'rate: 20/s, duration: 500ms, burstiness: 2' },
  burst: { load: 'count: 3', journeys: 3 },
  replay: { load: 'file: times.csv', journeys: 2 },
  'paced-to-limits': { load: 'duration: 300ms, share: 1', journeys: 3 },
  'closed-users': { load: 'users: 2, duration: 300ms' },
  'ramping-users': { load: 'from: 1, stages: [{ to: 2, duration: 300ms }]' },
  'shared-iterations': { load: 'users: 2, iterations: 5', journeys: 5 },
  'per-user-iterations': { load: 'users: 2, iterations: 3', journeys: 6 },
};
/** Twice as long as any of them takes: a machine that stands still for a while must not cut one off. */
const PHASE_US = 1_000_000;
const all = Object.entries(written).map(([name, { load, journeys, part }]) => {
  const ofPhase = (phase: string) => (part === undefined ? phase : `${phase}.${part}`);
  return { name, phase: name.replaceAll('-', '_'), ofPhase, journeys, load: `{ model: ${name}, ${load} }` };
});

const scenario = (loads: string): string => {
  const file = scenarioFile(`
name: every-model
users: 4
profile: { limits: { rate: { max: 600 }, concurrency: { max: 100 }, daily: { max: 10000 } } }
${WHATEVER_THE_MACHINE}
journeys: { ask: { steps: [createConversation: {}, pause: 20ms] } }
${loads}`);
  writeFileSync(join(dirname(file), 'times.csv'), 'at\n0\n0.2\n');
  return file;
};

describe('every load model', () => {
  it.each(all)(
    '$name is planned alone, in a phase with a gate of its own, and beside another one',
    async ({ load, ofPhase }) => {
      const phase = `phases: [{ name: first, load: ${load}, duration: 1s }, { name: second, load: { model: burst, count: 1 } }]`;
      for (const loads of [
        `load: ${load}`,
        `load: [${load}, { model: burst, count: 1 }]`,
        `${phase}\ngates: { 'http_req_failed{stage:${ofPhase('first')}}': 'rate<0.5', 'http_req_failed{stage:second}': 'rate<0.5' }`,
      ]) {
        const { code, err } = await typed(['plan', scenario(loads)]);
        expect({ code, err }).toEqual({ code: 0, err: '' });
      }
    },
  );

  it('runs as a phase among the others, and starts as many journeys as it says', async () => {
    const phases = all.map(
      ({ phase, load }) => `  - { name: ${phase}, load: ${load}, duration: ${PHASE_US / 1_000}ms }`,
    );
    const gates = all.map(({ phase, ofPhase }) => `  'http_req_failed{stage:${ofPhase(phase)}}': 'rate<0.01'`);
    const folder = join(temporaryFolder(), 'out');
    const file = scenario(`phases:\n${phases.join('\n')}\ngates:\n${gates.join('\n')}\n`);
    const { code, err } = await typed(['run', file, '--quiet', '--out', folder]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { exchanges } = resultsIn(folder);
    const begun = all.map(
      (_, phase) =>
        exchanges.filter(({ operation, intendedAt }) => {
          return operation === 'createConversation' && Math.floor(intendedAt / PHASE_US) === phase;
        }).length,
    );
    expect(begun).toEqual(all.map(({ journeys }, phase) => journeys ?? Math.max(2, begun[phase] ?? 0)));
  });
});
