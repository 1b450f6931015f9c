import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterThisFile } from './leftovers.ts';

/** Root of the repository. */
export const root = resolve(import.meta.dirname, '../..');

/** The built entry point of the sandbox process. */
export const sandboxProcess = createRequire(import.meta.url).resolve('#sandbox-process');

/** URL of the built `built-journal.ts`, for scripts in separate processes. */
export const builtJournal = pathToFileURL(join(root, 'dist/testing/built-journal.js')).href;

/** A shipped scenario or profile, by its path below `scenarios/`. */
export const shipped = (path: string): string => join(root, 'scenarios', path);

/** An empty folder, removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
  afterThisFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Timeout of tests with several processes. A loaded machine may take seconds to start each of them. */
export const PATIENCE_MS = 120_000;

/** The result of a command. */
export interface Finished {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** From start to end, in milliseconds. */
  readonly tookMs: number;
}

/** The compiled command in its own process. */
export interface Spillway {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Process id. */
  readonly pid: number;
  /** Output so far. */
  readonly text: { readonly out: string; readonly err: string };
  readonly finished: Promise<Finished>;
}

export interface SpillwayOptions {
  /** Working folder; default a new one, so that `results/` contains only this run. */
  readonly cwd?: string;
  /** The environment except PATH; default empty, so that no credentials leak into a test. */
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command to run before the command in the same process, such as `ulimit -f 64`. */
  readonly before?: string;
}

/** Starts `spillway ARGS` without a terminal. */
export function startSpillway(args: readonly string[], options: SpillwayOptions = {}): Spillway {
  const command = [process.execPath, join(root, 'dist/cli/main.js'), ...args];
  const [program = '', ...rest] =
    options.before === undefined ? command : ['sh', '-c', `${options.before}; exec "$0" "$@"`, ...command];
  const child = spawn(program, rest, {
    cwd: options.cwd ?? temporaryFolder(),
    env: { PATH: process.env.PATH ?? '', ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end();
  const startedAt = Date.now();
  const text = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text.err += chunk;
  });
  const finished = new Promise<Finished>((done, failed) => {
    child.once('error', failed);
    child.once('close', (code, signal) =>
      done({ code, signal, out: text.out, err: text.err, tookMs: Date.now() - startedAt }),
    );
  });
  // No effect if it has ended.
  afterThisFile(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid ?? 0, text, finished };
}

/** Runs `spillway ARGS` to its end. */
export function spillway(args: readonly string[], options?: SpillwayOptions): Promise<Finished> {
  return startSpillway(args, options).finished;
}

/** Waits for a condition that other processes fulfil. @throws Error after `withinMs` */
export async function until(happened: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!happened()) {
    if (Date.now() > deadline) throw new Error(`timed out after ${withinMs} ms waiting until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A sandbox started with `spillway sandbox`. */
export interface ServedSandbox {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Environment with these credentials, for a run. */
  readonly env: Readonly<Record<string, string>>;
  /** The truth report of the control plane. */
  truth(): Promise<{ readonly requests: Readonly<Record<string, Readonly<Record<string, number>>>> }>;
  stop(): Promise<Finished>;
}

/** Starts `spillway sandbox` on a free port with its control plane, and waits until it serves. */
export async function serveSandbox(...args: readonly string[]): Promise<ServedSandbox> {
  const command = startSpillway(['sandbox', '--port', '0', '--control', '--json', ...args]);
  await until(() => command.text.out.includes('\n'), 'the sandbox says where it serves');
  const { url, applications } = JSON.parse(command.text.out) as {
    readonly url: string;
    readonly applications: readonly { readonly clientId: string; readonly clientSecret: string }[];
  };
  const { clientId = '', clientSecret = '' } = applications[0] ?? {};
  return {
    url,
    clientId,
    clientSecret,
    env: { SPILLWAY_CLIENT_ID: clientId, SPILLWAY_CLIENT_SECRET: clientSecret },
    truth: async () =>
      (await (await fetch(`${url}/_sandbox/truth`)).json()) as Awaited<ReturnType<ServedSandbox['truth']>>,
    stop: () => {
      command.child.kill('SIGTERM');
      return command.finished;
    },
  };
}
