import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, shipped, spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { typed } from '../../testing/typed.ts';
import { random } from '../whole/random-scenario.exam.ts';

/** The output of --json for a run: the summary and the results of the gates. */
const summaryWithGates = (folder: string) => ({
  ...resultsIn(folder).summary(),
  gates: JSON.parse(readFileSync(join(folder, 'gates.json'), 'utf8')),
});

describe.concurrent('run', { timeout: PATIENCE_MS }, () => {
  it('--json prints the summary and nothing else on stdout', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(random);
    const { code, out, err } = await typed(['run', file, '--json', '--once'], cwd);
    expect(code, err).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    const [run = ''] = readdirSync(join(cwd, 'results'));
    expect(run).toMatch(/^random-\d{8}T\d{6}Z$/);
    expect(JSON.parse(out)).toEqual(summaryWithGates(join(cwd, 'results', run)));
    expect(err).toContain('random against the embedded sandbox');
    expect(err).toContain(`results       results/${run}`);
  });

  it('-e sets variables of the scenario, and report finds the latest run', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(`${random}record: { messages: true }\n`);
    const args = ['--once', '--quiet', '-e', 'greeting=Good evening=now', '--seed', '12', '--out'];
    expect((await typed(['run', file, ...args, 'results/one'], cwd)).code).toBe(0);
    const { exchanges, header } = resultsIn(join(cwd, 'results/one'));
    expect(exchanges.flatMap(({ message }) => message?.text ?? [])).toEqual(['Good evening=now']);
    expect(header?.seed).toBe(12);
    // Other files in results/ are not runs.
    writeFileSync(join(cwd, 'results/README.md'), 'Runs of ours.');
    const latest = await typed(['report', 'latest', '--json'], cwd);
    expect(JSON.parse(latest.out)).toEqual(summaryWithGates(join(cwd, 'results/one')));
    const facts = JSON.parse(readFileSync(join(cwd, 'results/one/run.json'), 'utf8'));
    expect(facts.commandLine).toContain('greeting=[redacted]');
    const schema = new URL('../../report/schemas/run.schema.json', import.meta.url);
    const validate = new Ajv2020().compile(JSON.parse(readFileSync(schema, 'utf8')));
    validate(facts);
    expect(validate.errors).toBeNull();
  });

  it('report says which part of a journal it could not read, and creates the output folder', async () => {
    const cwd = temporaryFolder();
    const file = scenarioFile(random);
    expect((await typed(['run', file, '--once', '--quiet', '--out', 'whole'], cwd)).code).toBe(0);
    const lines = readFileSync(join(cwd, 'whole/history.ndjson'), 'utf8').trimEnd().split('\n');
    const odd = ['no JSON', '{"kind":"\\u001b[2Jcomment","text":"x"}', '{"kind":"exchange"}'];
    writeFileSync(join(cwd, 'odd.ndjson'), [...lines.slice(0, 3), ...odd, ...lines.slice(3)].join('\n'));
    const { code, err } = await typed(['report', 'odd.ndjson', '--out', 'deep/er'], cwd);
    expect({ code, err }).toEqual({
      code: 0,
      err: `spillway: 2 lines of the journal could not be read
spillway: records of unknown kinds were skipped: \\u{1b}[2Jcomment (1)
`,
    });
    for (const name of ['requests.csv', 'turns.csv', 'intervals.csv', 'latency.hlog'])
      expect(readFileSync(join(cwd, 'deep/er', name), 'utf8')).toBe(readFileSync(join(cwd, 'whole', name), 'utf8'));
  });

  it('without a terminal shows no escape sequence, whatever the environment', async () => {
    const { out, err } = await spillway(['run', shipped('smoke.yaml')], { env: { TERM: 'xterm-256color' } });
    expect(`${out}${err}`).not.toContain('\u001b');
    expect(err).toMatch(/requests?, .*minute \d+ of 20/);
  });

  it('--quiet prints nothing before the table', async () => {
    const { code, out, err } = await typed(['run', shipped('smoke.yaml'), '--quiet']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^smoke against the embedded sandbox, .* complete\n/);
  });
});
