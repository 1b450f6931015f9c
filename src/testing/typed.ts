import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import type { runCli } from '../cli/index.ts';
import { root, temporaryFolder } from './cli.ts';

/** What a command left behind that was run in this process. */
export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process, in a folder (default a fresh one) and with an empty environment: for what sends nothing and ends soon, which would take longer to start
 * than to run. One after another, also where tests run side by side, as it takes over the folder and the output of the process.
 * The code is the built one, like that of a process: to load it takes a tenth of what the test runner needs for the sources.
 */
export function typed(args: readonly string[], folder = temporaryFolder()): Promise<Typed> {
  const typing = last.then(() => type(args, folder));
  last = typing.catch(() => undefined);
  return typing;
}

async function type(args: readonly string[], folder: string): Promise<Typed> {
  const cli = (await import(pathToFileURL(join(root, 'dist/cli/index.js')).href)) as { readonly runCli: typeof runCli };
  const printed = { out: '', err: '' };
  const into = (name: keyof typeof printed) => (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
    vi.spyOn(console, 'log').mockImplementation((...what) => void into('out')(`${format(...what)}\n`)),
  ];
  const [cwd, env] = [process.cwd(), process.env];
  process.chdir(folder);
  // As a process would have it that is started for a test.
  process.env = { PATH: env.PATH, ...(env.SHELL !== undefined && { SHELL: env.SHELL }) };
  try {
    return { code: await cli.runCli(args), ...printed };
  } finally {
    process.chdir(cwd);
    process.env = env;
    for (const spy of spies) spy.mockRestore();
  }
}
