import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PATIENCE_MS, spillway, temporaryFolder } from '../../testing/cli.ts';
import { scenarioFile } from '../../testing/scenarios.ts';
import { checkOpenFiles, openFilesLimit } from './open-files.ts';

it('names the needed and the allowed number of files, and both remedies', () => {
  expect(() => checkOpenFiles(960, 1_024)).not.toThrow();
  expect(() => checkOpenFiles(961, 1_024)).toThrow(
    'client.connections: 961 sockets need about 1,025 open files, and the system allows 1,024; raise the limit (ulimit -n 1025), or use at most 960 connections',
  );
});

it('counts what the threads of several workers open while they load', () => {
  expect(() => checkOpenFiles(16, 144, 4)).not.toThrow();
  expect(() => checkOpenFiles(16, 143, 4)).toThrow(
    'client.connections: 16 sockets and 4 workers need about 144 open files, and the system allows 143; raise the limit (ulimit -n 144), or use at most 15 connections',
  );
  expect(() => checkOpenFiles(16, 131, 4)).toThrow('or use fewer workers');
});

it.skipIf(process.platform === 'win32')('knows the limit of the shell', () => {
  // Node raises the soft limit to the hard one when it starts.
  const hard = execFileSync('sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' }).trim();
  expect(String(openFilesLimit())).toBe(hard === 'unlimited' ? 'Infinity' : hard);
});

it.skipIf(process.platform === 'win32')(
  'is said by run before anything is sent, or written',
  { timeout: PATIENCE_MS },
  async () => {
    const scenario = scenarioFile(`
name: wide
profile: { client: { connections: 500 } }
journeys: { read: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }
`);
    const out = join(temporaryFolder(), 'out');
    const { code, err } = await spillway(['run', scenario, '--out', out], { before: 'ulimit -n 300' });
    expect(code).toBe(104);
    expect(err).toContain('client.connections: 500 sockets need about 564 open files, and the system allows 300');
    expect(err).toContain('raise the limit (ulimit -n 564), or use at most 236 connections');
    expect(existsSync(out)).toBe(false);
  },
);

it.skipIf(process.platform === 'win32')(
  'is said of several workers before their threads start',
  { timeout: PATIENCE_MS },
  async () => {
    const scenario = scenarioFile(`
name: several
users: 4
journeys: { read: { steps: [createConversation: {}] } }
load: { model: burst, count: 4 }
`);
    const { code, err } = await spillway(['run', scenario, '--workers', '4', '--quiet'], { before: 'ulimit -n 90' });
    expect(code, err).toBe(104);
    expect(err).toContain('16 sockets and 4 workers need about 144 open files, and the system allows 90');
  },
);

const outOfFiles = 'spillway: too many open files; raise the limit, for example with ulimit -n 4096\n';
const tooFewFor = (files: number) =>
  `spillway: one problem:\nclient.connections: 16 sockets need about 80 open files, and the system allows ${files}; raise the limit (ulimit -n 80), or use at most 1 connection\n`;

// What fails first depends on Node: 20 opens forty files to load modules, 24 fewer, and cannot start the sandbox's process in 24.
it.skipIf(process.platform === 'win32').each([24, 34, 40, 45])(
  'with room for %i files it is said what is missing',
  { timeout: PATIENCE_MS },
  async (files) => {
    const scenario = scenarioFile(`
name: narrow
journeys: { read: { steps: [createConversation: {}] } }
load: { model: burst, count: 1 }
`);
    const out = join(temporaryFolder(), 'out');
    const { code, err } = await spillway(['run', scenario, '--out', out], { before: `ulimit -n ${files}` });
    expect({ code, err }).toEqual(code === 104 ? { code, err: tooFewFor(files) } : { code: 12, err: outOfFiles });
  },
);
