import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { PATIENCE_MS, root, shipped, temporaryFolder } from '../../testing/cli.ts';
import { serveBadly } from '../../testing/service.ts';
import { typed } from '../../testing/typed.ts';
import { explain } from '../failures/explain.ts';
import { withoutCommands } from './print.ts';

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<
    Record<string, { readonly required?: boolean; readonly default?: string; readonly description: string }>
  >;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const text = readFileSync(join(root, 'action.yml'), 'utf8');
const action = parse(text) as Action;
const workflow = parse(readFileSync(join(root, '.github/workflows/spillway.yml'), 'utf8')) as {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
};

describe('on a runner of GitHub', { timeout: PATIENCE_MS }, () => {
  it('a run annotates failures and writes a job summary; elsewhere it does neither', async () => {
    const folder = temporaryFolder();
    const page = join(folder, 'summary.md');
    writeFileSync(page, 'before\n');
    const args = ['run', shipped('smoke.yaml'), '--quiet', '--json', '--gate', 'http_req_duration: max<0.001'];
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: page };
    const ran = await typed([...args, '--out', join(folder, 'run')], undefined, env);
    expect(ran.code).toBe(99);
    expect(ran.err).toMatch(
      /^::error title=Gate failed%3A http_req_duration%3A max<0.001::max is [\d.]+ ms of 9 samples, not < 0.001 ms$/m,
    );
    expect(ran.err).toMatch(/^::notice title=Spillway%3A smoke::failed: 1 of 1 gate failed$/m);
    expect(JSON.parse(ran.out)).toMatchObject({ format: 'spillway-summary', gates: { passed: false } });
    const written = readFileSync(page, 'utf8');
    expect(written.startsWith('before\n## ❌ Spillway: 1 of 1 gate failed\n')).toBe(true);
    expect(readFileSync(join(folder, 'run', 'summary.md'), 'utf8')).toBe(written.slice('before\n'.length, -1));

    const unwritable = { ...env, GITHUB_STEP_SUMMARY: join(folder, 'none', 'x') };
    const reported = await typed(['report', join(folder, 'run')], undefined, unwritable);
    expect([reported.code, reported.err]).toEqual([0, expect.stringContaining('the step summary cannot be written')]);
    const elsewhere = await typed(['report', join(folder, 'run')]);
    expect(`${elsewhere.out}${elsewhere.err}`).not.toContain('::');
    expect(readFileSync(page, 'utf8')).toBe(written);
  });

  it('--debug shows what a service answered, without its commands', async () => {
    const command = '##[error]from the service';
    const service = await serveBadly({
      createConversation: ({ response }) => {
        response.writeHead(500, { 'Retry-After': command, 'Content-Type': 'text/plain' }).end(`::error::x\n${command}`);
      },
    });
    const args = ['run', shipped('smoke.yaml'), '--target', service.url, '--once', '--debug', '--no-gates'];
    const env = { GITHUB_ACTIONS: 'true', SPILLWAY_CLIENT_ID: 'id', SPILLWAY_CLIENT_SECRET: 'secret' };
    const { err } = await typed(args, undefined, env);
    await service.close();
    expect(err).toContain('retry-after: ##\\[error]from the service');
    expect(err).not.toContain('##[');
    expect(err.split('\n').filter((line) => /^\s*::/.test(line) && !line.includes('title='))).toEqual([]);
  });
});

describe('what is printed', () => {
  it('of a defect or of code of the scenario, whose message may quote a service, is no command either', () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const own = Object.assign(new Error(), { stack: 'Error: x\n::error::y\n##[group]z' });
    const foreign = Object.assign(new Error(), { stack: `${own.stack}\n    at file:///home/me/scenario.ts:1:2` });
    const codes = [explain(own), explain(foreign)];
    const printed = write.mock.calls.map(([text]) => text);
    write.mockRestore();
    vi.unstubAllEnvs();
    expect(codes).toEqual([1, 107]);
    expect(printed).toHaveLength(2);
    for (const text of printed) expect(text).toContain('Error: x\n\\::error::y\n##\\[group]z');
  });

  it('holds no commands of a runner', () => {
    expect(withoutCommands('a\n  ::error::x\n::warning::y\nb ::fine:: ##[group]z')).toBe(
      'a\n  \\::error::x\n\\::warning::y\nb ::fine:: ##\\[group]z',
    );
  });
});

describe('action.yml', { timeout: PATIENCE_MS }, () => {
  const run = action.runs.steps.find(({ id }) => id === 'run');

  it('is a composite action whose inputs and steps fit together', () => {
    expect(action.runs.using).toBe('composite');
    for (const step of action.runs.steps) expect(step.run === undefined).toBe(step.uses !== undefined);
    for (const step of action.runs.steps.filter((one) => one.run !== undefined)) {
      expect(step.shell).toBe('bash');
      // Inputs must not be interpolated into a script.
      expect(step.run).not.toContain('${{');
    }
    const used = [...text.matchAll(/inputs\.([a-z-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
    expect(
      Object.values(action.inputs).every(({ required, default: usual }) => required === true || usual !== undefined),
    ).toBe(true);
    for (const { value } of Object.values(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.run\.outputs\.[a-z-]+ \}\}$/);
    // The folder that the run really has: line breaks are removed from `out`.
    expect(action.runs.steps.at(-1)?.with?.path).toBe('${{ steps.run.outputs.results || inputs.out }}');
  });

  it('is used by the example workflow with inputs that it has', () => {
    const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
    const uses = steps.filter((step) => step.uses === './');
    expect(uses).toHaveLength(1);
    for (const name of Object.keys(uses[0]?.with ?? {})) expect(action.inputs).toHaveProperty(name);
  });

  /** What the step that installs calls npm with, and the folder and credentials that npm sees. */
  function install(version: string): string {
    const step = action.runs.steps.find(({ name }) => name === 'Install');
    const folder = temporaryFolder();
    const npm = join(folder, 'npm');
    writeFileSync(npm, '#!/bin/sh\necho "$(basename "$PWD"): npm $* [$SPILLWAY_CLIENT_ID$SPILLWAY_CLIENT_SECRET]"\n');
    chmodSync(npm, 0o755);
    const jobs = { SPILLWAY_CLIENT_ID: 'id', SPILLWAY_CLIENT_SECRET: 'secret', GITHUB_ACTION_PATH: join(root, 'src') };
    const env = { ...jobs, ...step?.env, VERSION: version, PATH: `${folder}:${process.env.PATH ?? ''}` };
    const args = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? ''];
    return spawnSync('bash', args, { cwd: join(root, 'results'), env, encoding: 'utf8' }).stdout;
  }

  it('installs its own revision, never a name that nobody has claimed, and shows npm no credentials', () => {
    const calls = ['ci --include=dev --ignore-scripts', 'run build', 'link --ignore-scripts'];
    expect(install(action.inputs.version?.default ?? 'latest')).toBe(
      calls.map((call) => `src: npm ${call} []\n`).join(''),
    );
    const tarball = './spillway-0.1.0.tgz';
    expect(install(tarball)).toBe(`results: npm install --global --ignore-scripts spillway@${tarball} []\n`);
  });

  /** Runs the script of the action as a runner does: the inputs in its environment. */
  function perform(inputs: Readonly<Record<string, string>>, index = '0') {
    const folder = temporaryFolder();
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'spillway'),
      `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'dist/cli/main.js')}" "$@"\n`,
    );
    chmodSync(join(bin, 'spillway'), 0o755);
    const given = Object.fromEntries(
      Object.entries(run?.env ?? {}).map(([name, value]) => {
        const runner = { JOB: 'smoke', INDEX: index }[name];
        if (runner !== undefined) return [name, runner];
        const input = /inputs\.([a-z-]+)/.exec(value)?.[1] ?? '';
        return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
      }),
    );
    const output = join(folder, 'output');
    const done = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run?.run ?? ''], {
      cwd: folder,
      env: { PATH: `${bin}:${process.env.PATH ?? ''}`, GITHUB_OUTPUT: output, ...given },
      encoding: 'utf8',
    });
    return {
      folder,
      code: done.status,
      said: `${done.stdout}${done.stderr}`,
      output: existsSync(output) ? readFileSync(output, 'utf8') : '',
    };
  }

  it('runs a scenario with gates, variables and further arguments, gives its exit code on, and names its artifact apart in a matrix', () => {
    const passed = perform(
      {
        scenario: shipped('smoke.yaml'),
        gates: '  http_req_failed: rate<0.01 \n   \nlimit.daily: not violated\n',
        out: 'runs/a:b',
        env: '\nCITY=Bern and so on\n',
        arguments: '--seed=7\n--csv-format=jtl\n\n',
      },
      '3',
    );
    expect([passed.code, passed.output], passed.said).toEqual([
      0,
      'exit-code=0\nresults=runs/a:b\nartifact=runs-a-b-smoke-3\n',
    ]);
    expect(passed.said).toContain('gates: 2 passed, 0 failed, 0 undetermined');
    const written = (name: string) => join(passed.folder, 'runs/a:b', name);
    expect(existsSync(written('junit.xml'))).toBe(true);
    expect(existsSync(written('requests.jtl'))).toBe(true);
    const { commandLine } = JSON.parse(readFileSync(written('run.json'), 'utf8'));
    expect(commandLine).toEqual(expect.arrayContaining(['-e', 'CITY=[redacted]', '--seed=7']));
  });

  it('never interprets inputs as shell commands', () => {
    const hostile = '$(touch pwned)`touch pwned`"; touch pwned; "';
    const refused = perform({ scenario: shipped('smoke.yaml'), gates: hostile, target: '' });
    expect([refused.code, refused.output]).toEqual([
      104,
      'exit-code=104\nresults=spillway-results\nartifact=spillway-results-smoke-0\n',
    ]);
    expect(existsSync(join(refused.folder, 'pwned'))).toBe(false);
    const twoLines = perform({ scenario: hostile, out: 'a\nexit-code=0', 'artifact-name': 'b/c\r\nresults=/' });
    expect([twoLines.code, twoLines.output]).toEqual([
      104,
      'exit-code=104\nresults=a-exit-code=0\nartifact=b-c--results=-\n',
    ]);
    expect(existsSync(join(twoLines.folder, 'pwned'))).toBe(false);
    const absolute = perform({ scenario: hostile, out: '/tmp/a' });
    expect(absolute.output).toBe('exit-code=104\nresults=/tmp/a\nartifact=tmp-a-smoke-0\n');
  });
});
