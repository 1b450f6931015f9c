import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { typed } from '../../testing/typed.ts';
import { loadedFrom, runVirtualScenario } from '../../testing/virtual.ts';
import { rehearse } from '../forecast/rehearse.ts';

/** Twelve conversations, one after another. */
const twelve = (faults: string[]) => ({
  sandbox: { faults },
  journeys: { start: { onError: 'continue' as const, steps: [{ createConversation: {} }] } },
  load: { model: 'constant-rate' as const, rate: '2/s', duration: '6s' },
});

describe("a scenario's faults", () => {
  it('are in the sandbox that serves it', async () => {
    const { exchanges } = await runVirtualScenario(
      twelve(['createConversation:reset-after:every=4', 'createConversation:status-503:#5-6']),
    );
    const created = exchanges.filter(({ operation }) => operation === 'createConversation');
    expect(created.map(({ status, failure }) => status ?? failure)).toEqual([
      ...[201, 201, 201, 'ECONNRESET'],
      ...[503, 503, 201, 'ECONNRESET'],
      ...[201, 201, 201, 'ECONNRESET'],
    ]);
  });

  it('do not affect the price, which is that of a service without faults', async () => {
    const loaded = loadedFrom(twelve(['*:status-500']));
    const { measurements } = await rehearse(loaded, compilePlan(loaded.scenario), true, {
      turnQuantile: 0.5,
      roundTripUs: 1_000 as Micros,
    });
    expect(measurements.summary().errors).toEqual([]);
  });

  /** @param faults lines of the list */
  const scenarioWith = (faults: string) => {
    const file = join(temporaryFolder(), 's.yaml');
    const rest = 'load: { model: burst, count: 3 }\njourneys: { ask: { steps: [createConversation: {}] } }';
    writeFileSync(file, `name: s\n${rest}\nsandbox:\n  faults:\n${faults}`);
    return file;
  };

  it('with mistakes are all reported, with their lines, beside those of other kinds', async () => {
    const file = scenarioWith('    - sendMesage:stall\n    - sendMessage:stall:p=2\n    - 5\n    - "*:stall"\n');
    const { code, err } = await typed(['plan', file]);
    expect(code).toBe(104);
    expect(err.split('\n').slice(0, 4)).toEqual([
      'spillway: 3 problems:',
      `${file}:6:7 sandbox.faults[0]: "sendMesage:stall": there is no operation "sendMesage", did you mean sendMessage; write * for all of them`,
      `${file}:7:7 sandbox.faults[1]: "sendMessage:stall:p=2": "p=2" is not a probability above 0, up to 1; write p=0.05 (probability), #3 (the third request), #3-8, every=10, or nothing (always)`,
      `${file}:8:7 sandbox.faults[2]: must be text, not 5; write "5"`,
    ]);
  });

  it(
    'reach a run over sockets',
    async () => {
      const out = join(temporaryFolder(), 'out');
      const { code } = await typed([
        'run',
        scenarioWith('    - createConversation:reset-after:#2\n'),
        '--out',
        out,
        '-q',
      ]);
      expect(code).toBe(0);
      expect(resultsIn(out).summary().errors).toEqual([
        { operation: 'createConversation', kind: 'failure', what: 'ECONNRESET', count: 1 },
      ]);
    },
    PATIENCE_MS,
  );
});
