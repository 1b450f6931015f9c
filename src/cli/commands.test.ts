import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { PATIENCE_MS, root, spillway, temporaryFolder } from '../testing/cli.ts';
import { typed } from '../testing/typed.ts';
import { commands, wordOf } from './commands.ts';

describe('the command', () => {
  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
    expect(await typed(['--version'], temporaryFolder())).toMatchObject({ code: 0, out: `${version}\n`, err: '' });
  });

  it.each([...commands.map(wordOf), 'completion'])('explains %s with examples', async (command) => {
    const { code, out } = await typed([command, '--help'], temporaryFolder());
    expect(code).toBe(0);
    expect(out).toContain(`spillway ${command}`);
    expect(out).toMatch(/Examples:\n {2}\S.*\n {4}(?:SHELL=\S+ )?spillway /);
    expect(await typed(['help', command], temporaryFolder())).toEqual({ code, out, err: '' });
  });

  it('explains none that it does not have', async () => {
    const { code, err } = await typed(['help', 'rnu'], temporaryFolder());
    expect([code, err]).toEqual([104, expect.stringContaining('rnu is not a command')]);
  });

  it.each([60, 100])('breaks examples %i columns wide only where a shell goes on reading', async (width) => {
    const columns = Object.getOwnPropertyDescriptor(process.stderr, 'columns');
    Object.defineProperty(process.stderr, 'columns', { value: width, configurable: true });
    const { out } = await typed(['run', '--help'], temporaryFolder());
    if (columns) Object.defineProperty(process.stderr, 'columns', columns);
    else Reflect.deleteProperty(process.stderr, 'columns');
    const shown = out.slice(out.indexOf('Examples:')).split('\n');
    expect(Math.max(...shown.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(shown.join('\n').replaceAll(/ \\\n +/g, ' ')).toContain(
      "\n    spillway run scenarios/smoke.yaml --gate 'http_req_failed: rate<0.01' --gate 'rate_limited: rate<0.05' --gate 'limit.rate: not violated'\n",
    );
  });

  it('prints a script for completion, which completes commands and switches', async () => {
    vi.stubEnv('SHELL', '/bin/bash');
    const script = await typed(['completion'], temporaryFolder());
    expect(script.code).toBe(0);
    expect(script.out).toContain('complete -o bashdefault -o default -F _spillway_yargs_completions spillway');
    const completed = async (...line: readonly string[]) =>
      (await typed(['--get-yargs-completions', 'spillway', ...line], temporaryFolder())).out.split('\n');
    expect(await completed('run', '--s')).toContain('--seed');
    expect(await completed('')).toEqual(expect.arrayContaining(commands.map(wordOf)));
    vi.unstubAllEnvs();
  });
});

describe('a module that ends while it is loaded', { timeout: PATIENCE_MS }, () => {
  it.each([
    ['process.exit(0);', 'ended the process while it was loaded'],
    [
      'await new Promise(() => {});\nexport default {};',
      'never finished loading: it waits for something that never happens',
    ],
  ])('is told, and is no run that passed: %s', async (text, what) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 's.ts'), `${text}\n`);
    const { code, out, err } = await spillway(['run', 's.ts'], { cwd });
    expect([code, out, err]).toEqual([107, '', `spillway: s.ts ${what}; correct the file, or what it imports\n`]);
  });
});
