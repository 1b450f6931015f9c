import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { vi } from 'vitest';
import type { runCli } from '../cli/index.ts';
import { root, temporaryFolder } from './cli.ts';

/** The result of a command that ran in this process. */
export interface Typed {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process, in a folder (default a new one). For commands that would take longer to start than to run,
 * runs of a few exchanges included; their sandbox still has its own process. Commands run one after another, even in concurrent
 * tests, because they use the working folder, the arguments and the output of the process. Uses the built code, which loads in a tenth of the time
 * of the sources.
 * @param env the environment except PATH; default empty, so that no credentials leak into a test
 */
export function typed(
  args: readonly string[],
  folder = temporaryFolder(),
  env: Readonly<Record<string, string>> = {},
): Promise<Typed> {
  const typing = last.then(() => type(args, folder, env));
  last = typing.catch(() => undefined);
  return typing;
}

async function type(args: readonly string[], folder: string, given: Readonly<Record<string, string>>): Promise<Typed> {
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
  const [cwd, env, argv] = [process.cwd(), { ...process.env }, process.argv];
  process.chdir(folder);
  // What is recorded in run.json.
  process.argv = [process.execPath, join(root, 'dist/cli/main.js'), ...args];
  // The environment that a process started for a test would have.
  setEnvironment({ PATH: env.PATH, ...(env.SHELL !== undefined && { SHELL: env.SHELL }), ...given });
  try {
    return { code: await cli.runCli(args), ...printed };
  } finally {
    process.chdir(cwd);
    setEnvironment(env);
    process.argv = argv;
    for (const spy of spies) spy.mockRestore();
  }
}

/** In place: from Node 26 on, processes that are started get nothing of an object put in place of `process.env`. */
function setEnvironment(wanted: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, wanted);
}
