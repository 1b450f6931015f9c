import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { SummaryDocument } from '../../report/index.ts';
import { PATIENCE_MS, root, type Spillway, startSpillway, temporaryFolder, until } from '../../testing/cli.ts';
import { journalLines } from '../../testing/results.ts';
import { scenarioFile, WHATEVER_THE_MACHINE, WIDE_OPEN } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';

const schema = JSON.parse(readFileSync(join(root, 'src/report/schemas/summary.schema.json'), 'utf8'));

const reads = (load: string, more = WHATEVER_THE_MACHINE) => `
name: reads
${more}
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, readHistory: {}] } }
gates: { http_req_failed: 'rate<0.01' }
load: ${load}
`;

/** What the files of a run say of it, and what `report --json` says later. @param act what is done to its process meanwhile */
async function told(text: string, act?: (run: Spillway, folder: string) => Promise<void>) {
  const folder = join(temporaryFolder(), 'out');
  const page = join(temporaryFolder(), 'page.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
  const args = ['run', scenarioFile(text), '--quiet', '--out', folder];
  const run = act && startSpillway(args, { env });
  if (run) await act(run, folder);
  const { code, out } = await (run ? run.finished : typed(args, undefined, env));
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const written = read('summary.json');
  expect(readFileSync(page, 'utf8')).toBe(`${read('summary.md')}\n`);
  const summary = JSON.parse(written) as SummaryDocument;
  const reported = JSON.parse((await typed(['report', folder, '--json'])).out) as SummaryDocument;
  expect(read('summary.json')).toBe(written);
  expect(reported.run).toEqual(summary.run);
  const validate = new Ajv2020().compile(schema);
  expect(validate(summary), JSON.stringify(validate.errors)).toBe(true);
  const { complete, incompleteBecause, invalid } = summary.run;
  const { late = 0 } = summary.drops.byReason;
  const valid = /^spillway_run_valid (.*)$/m.exec(read('metrics.prom'))?.[1];
  const [, errors] = /^<testsuites .* errors="(\d+)"/m.exec(read('junit.xml')) ?? [];
  const [, notice] = /^::notice title=Spillway%3A reads::(.{20})/m.exec(out) ?? [];
  return { code, complete, incompleteBecause, invalid, late, valid, errors, notice };
}

describe.concurrent('whether a run is valid', { timeout: PATIENCE_MS }, () => {
  it('shows in no file of a valid run', async () => {
    expect(await told(reads('{ model: burst, count: 3 }'))).toEqual({
      code: 0,
      complete: true,
      incompleteBecause: undefined,
      invalid: undefined,
      late: 0,
      valid: '1',
      errors: '0',
      notice: 'passed: 1 gate passe',
    });
  });

  it('shows in every output of a run whose generator was the bottleneck, and dropped what it was late for', async () => {
    const tooMuch = '{ model: constant-rate, rate: 200000/s, duration: 300ms, noCatchUp: true }\ndeadline: 800ms';
    const { late, ...all } = await told(reads(tooMuch, ''));
    expect(late).toBeGreaterThan(10_000);
    expect(all).toMatchObject({
      code: 11,
      invalid: expect.stringMatching(
        /the generator was the bottleneck: .+arrivals that it was late for \(allowed: 1 %\)/,
      ),
      valid: '0',
      errors: '1',
      notice: 'failed: the run is i',
    });
  });

  it('shows in every output of an interrupted run, which is incomplete', async () => {
    const forever = reads('{ model: closed-users, users: 2, duration: 10min }');
    const interrupt = async (run: Spillway, folder: string) => {
      await until(() => journalLines(folder).length > 20, 'the run sends');
      run.child.kill('SIGINT');
    };
    expect(await told(forever, interrupt)).toEqual({
      code: 105,
      complete: false,
      incompleteBecause: 'interrupted',
      invalid: 'the history is incomplete: interrupted',
      late: 0,
      valid: '0',
      errors: '1',
      notice: 'failed: the run is i',
    });
  });
});
