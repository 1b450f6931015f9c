import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import { ConfigurationError } from '../base/index.ts';
import { parseGate } from '../metrics/index.ts';
import { loadScenario } from '../scenario/index.ts';
import { loadedFrom } from '../testing/virtual.ts';
import { checkStages } from './check-stages.ts';

const journeys = { ask: { steps: [{ createConversation: {} }] } };
const stairs = { model: 'steps', from: '10/min', by: '10/min', steps: 3, each: '30s' } as const;

function problemsOf(load: Parameters<typeof loadedFrom>[0]['load'], ...names: readonly string[]) {
  const gates = names.flatMap((name) => {
    const parsed = parseGate(name, 'rate<0.5');
    return 'value' in parsed ? [parsed.value] : [];
  });
  expect(gates).toHaveLength(names.length);
  try {
    checkStages({ ...loadedFrom({ journeys, load }), gates });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('gates on stages', () => {
  it('are accepted if the plan has the stage', () => {
    expect(problemsOf(stairs, 'rate_limited{stage:stair-3}', 'http_req_failed')).toEqual([]);
  });

  it('are refused before anything is sent if it does not, with the most similar name', () => {
    expect(problemsOf(stairs, 'rate_limited{stage:stair-3}', 'rate_limited{stage:stiar-2}')).toEqual([
      {
        path: 'gate rate_limited{stage:stiar-2}',
        message: 'the tag stage of rate_limited never has the value "stiar-2"',
        hint: 'did you mean stair-2?',
      },
    ]);
  });

  it('are refused if the plan has one stage, or more than the maximum', () => {
    const hints = (load: Parameters<typeof problemsOf>[0]) =>
      problemsOf(load, 'http_req_failed{stage:stair-1}').map(({ hint }) => hint);
    expect(hints({ model: 'burst', count: 3 })).toEqual([
      'the plan has only one stage; leave the tag out, or run without gates (spillway run --no-gates)',
    ]);
    expect(hints({ ...stairs, steps: 101 })).toEqual(['the plan has 101 stages; at most 100 are distinguished']);
  });

  it('are refused if their window cannot fit into what is measured of the run or the stage', () => {
    const refusedOf = (window: number, name = 'http_req_failed', more: object = {}, allowNoData = false) => {
      const parsed = parseGate(name, 'rate<0.5', { abortOnFail: false, allowNoData, window: window as Millis });
      const gates = 'value' in parsed ? [parsed.value] : [];
      expect(gates).toHaveLength(1);
      try {
        checkStages({ ...loadedFrom({ journeys, load: stairs, warmUp: '10s', ...more }), gates });
      } catch (error) {
        return error instanceof ConfigurationError && error.problems[0]?.message;
      }
      return undefined;
    };
    const first = 'http_req_failed{stage:stair-1}';
    expect([refusedOf(20_000, first), refusedOf(30_000, 'http_req_failed{stage:stair-2}')]).toEqual([
      undefined,
      undefined,
    ]);
    expect(refusedOf(21_000, first)).toBe(
      'a window of 21.0 s does not fit into the 20.0 s that are measured of the stage stair-1',
    );
    // Undetermined, it would not fail the run.
    expect(refusedOf(21_000, first, {}, true)).toBe(undefined);
    // Turns may take as long as they like after the last stage.
    expect([refusedOf(600_000), refusedOf(600_000, 'http_req_failed{stage:stair-3}')]).toEqual([undefined, undefined]);
    const deadline = { deadline: '100s' };
    expect([90_000, 91_000].map((window) => refusedOf(window, undefined, deadline))).toEqual([
      undefined,
      'a window of 91.0 s does not fit into the 90.0 s that are measured before the deadline',
    ]);
    expect(refusedOf(41_000, 'http_req_failed{stage:stair-3}', deadline)).toBe(
      'a window of 41.0 s does not fit into the 40.0 s that are measured of the stage stair-3',
    );
  });

  it('are reported with line and column, or with their command-line option', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'spillway-stages-')), 's.yaml');
    const text = [
      'name: staged',
      'load: { model: steps, from: 10/min, by: 10/min, steps: 3, each: 30s }',
      'journeys: { ask: { steps: [{ createConversation: {} }] } }',
      'gates:',
      '  http_req_failed: rate<0.5',
      "  rate_limited{stage:stiar-2}: ['rate<0.5', 'rate<0.2']",
    ];
    writeFileSync(file, `${text.join('\n')}\n`);
    const loaded = await loadScenario(file, { env: {}, gates: ['http_req_failed{stage:peak}: rate<0.1'] });
    expect(() => checkStages(loaded)).toThrow(
      new ConfigurationError([
        {
          file,
          line: 6,
          column: 3,
          path: 'gates["rate_limited{stage:stiar-2}"]',
          message: 'the tag stage of rate_limited never has the value "stiar-2"',
          hint: 'did you mean stair-2?',
        },
        {
          path: '--gate',
          message: 'the tag stage of http_req_failed never has the value "peak"',
          hint: 'its values are stair-1, stair-2, stair-3',
        },
      ]),
    );
  });
});
