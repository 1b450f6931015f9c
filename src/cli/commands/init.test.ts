import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { toolVersion } from '../../base/index.ts';
import { PATIENCE_MS, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { typed } from '../../testing/typed.ts';

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly env?: unknown; readonly steps: readonly Step[] }>>;
}
interface Step {
  readonly run?: string;
  readonly env?: unknown;
}

describe.concurrent('init', { timeout: PATIENCE_MS }, () => {
  it('writes files that run, and never overwrites', async () => {
    const cwd = temporaryFolder();
    const { code, out } = await typed(['init', 'load-tests'], cwd);
    expect(code).toBe(0);
    const files = [
      'scenarios/smoke.yaml',
      'scenarios/rate-limit.yaml',
      'scenarios/scenario.schema.json',
      'scenarios/profile.schema.json',
      'scenarios/profiles/service.yaml',
      '.github/workflows/spillway.yml',
    ].map((file) => join('load-tests', file));
    expect(out.split('\n').slice(0, files.length)).toEqual(files.map((file) => `wrote ${file}`));
    expect(out).toContain('Next: cd load-tests && npx spillway run scenarios/smoke.yaml (');
    expect(readFileSync(join(cwd, files[0] ?? ''), 'utf8')).toContain('--profile scenarios/profiles/service.yaml');
    const profile = readFileSync(join(cwd, 'load-tests/scenarios/profiles/service.yaml'), 'utf8');
    expect(profile).toContain(
      '# A real service: set the base address below, and put the credentials into the environment:',
    );
    expect(profile).toContain('#   spillway run scenarios/smoke.yaml --profile scenarios/profiles/service.yaml');

    const text = readFileSync(join(cwd, 'load-tests/.github/workflows/spillway.yml'), 'utf8');
    expect(text).toContain('\npermissions:\n  contents: read\n');
    const { smoke } = (parse(text) as Workflow).jobs;
    // The name is not registered at npm, and what npm installs runs scripts of its own.
    const tarball = `spillway-${toolVersion}.tgz`;
    expect(smoke?.steps.flatMap(({ run = '' }) => (run.includes('npm ') ? [run] : []))).toEqual([
      `npm install --no-save ./${tarball}`,
    ]);
    expect(out).toContain(`\nThe workflow installs ${tarball}: make it with npm pack in a clone of Spillway`);
    // Only whether there are any: the rest of the job sees no credentials.
    expect(smoke?.env).toEqual({ HAS_CREDENTIALS: "${{ secrets.SPILLWAY_CLIENT_ID != '' }}" });
    expect(smoke?.steps.filter(({ env }) => env !== undefined)).toEqual([
      {
        if: "env.HAS_CREDENTIALS == 'true'",
        env: {
          SPILLWAY_CLIENT_ID: '${{ secrets.SPILLWAY_CLIENT_ID }}',
          SPILLWAY_CLIENT_SECRET: '${{ secrets.SPILLWAY_CLIENT_SECRET }}',
        },
        run: expect.stringMatching(/^npx spillway run scenarios\/smoke\.yaml --profile /),
      },
    ]);

    // Only the results: the tarball has a similar name.
    expect(smoke?.steps.at(-1)).toMatchObject({ with: { path: 'spillway-sandbox\nspillway-service\n' } });

    const folder = join(cwd, 'load-tests');
    const ran = await typed(['run', 'scenarios/smoke.yaml', '--out', 'out'], folder);
    expect(ran.code, ran.err).toBe(0);
    expect(resultsIn(join(folder, 'out')).summary().expectations.unmet).toBe(0);
    const forService = async (scenario: string) =>
      typed(['plan', `scenarios/${scenario}.yaml`, '--profile', 'scenarios/profiles/service.yaml'], folder);
    expect((await forService('smoke')).code).toBe(0);
    // In real time by itself: no note that its times are for another clock.
    const planned = await forService('rate-limit');
    expect([planned.code, planned.err]).toEqual([0, '']);
    expect(planned.out).toMatch(/\nlasts +about 2 min \d+ s\nrequests +96 /);
    expect(planned.out).not.toMatch(/cut short|would refuse/);
    expect(out).toContain('; scenarios/rate-limit.yaml tests the rate limit, in two minutes\n');

    writeFileSync(join(folder, 'scenarios/smoke.yaml'), 'mine');
    const again = await typed(['init', 'load-tests'], cwd);
    expect(again.code).toBe(104);
    expect(again.err.trimEnd().split('\n')).toEqual([
      'spillway: 6 problems:',
      ...files.map((file) => `${file}: already exists; nothing was written; choose another folder`),
    ]);
    expect(readFileSync(join(folder, 'scenarios/smoke.yaml'), 'utf8')).toBe('mine');
  });

  it('names the folder as a shell takes it, and the current one not at all', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['init', 'load tests'], cwd)).out).toContain("\nNext: cd 'load tests' && npx spillway run ");
    const { out } = await typed(['init', './'], cwd);
    expect(out).toContain('\nNext: npx spillway run ');
    expect(out).not.toContain('GitHub reads workflows');
  });

  it('writes nothing if one of its files exists', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['init', '.'], cwd)).code).toBe(0);
    const other = temporaryFolder();
    writeFileSync(join(other, 'scenarios'), 'a file where a folder should be');
    const { code, err } = await typed(['init'], other);
    const why = `scenarios/smoke.yaml cannot be written: a file of this name exists (scenarios)`;
    expect([code, err]).toEqual([12, `spillway: ${why}; choose another folder\n`]);
    expect(readdirSync(other)).toEqual(['scenarios']);
  });

  it('leaves no file if one of them cannot be written, so that the next try does not meet them', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.github'), 'a file where a folder should be');
    const { code, err } = await typed(['init'], cwd);
    expect([code, err]).toEqual([
      12,
      'spillway: .github/workflows/spillway.yml cannot be written: a file stands where a folder should be ' +
        '(.github/workflows); choose another folder\n',
    ]);
    expect(readdirSync(cwd, { recursive: true }).sort()).toEqual(['.github', 'scenarios', 'scenarios/profiles']);
  });

  it.runIf(process.platform === 'linux')('says at once where no folder can be made', async () => {
    const { code, err } = await typed(['init', '/proc/spillway'], temporaryFolder());
    const why = "ENOENT: no such file or directory, mkdir '/proc/spillway'";
    expect([code, err]).toEqual([
      12,
      `spillway: /proc/spillway/scenarios/smoke.yaml cannot be written: ${why}; choose another folder\n`,
    ]);
  });
});
