import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterThisFile } from './leftovers.ts';

/** The repository. */
export const root = resolve(import.meta.dirname, '../..');

/** The entry of the sandbox's own process, as it is built. */
export const sandboxProcess = createRequire(import.meta.url).resolve('#sandbox-process');

/** The journal as it is built, for a script in a process of its own: the address of `built-journal.ts`. */
export const builtJournal = pathToFileURL(join(root, 'dist/testing/built-journal.js')).href;

/** A scenario or profile that ships, by its path below `scenarios/`. */
export const shipped = (path: string): string => join(root, 'scenarios', path);

/** An empty folder of this test file's own, gone when the file's tests are over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
  afterThisFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** How long a test of several processes may take: a loaded machine starts each of them in seconds. */
export const PATIENCE_MS = 120_000;

/** What a command left behind. */
export interface Finished {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** From start to end, in milliseconds. */
  readonly tookMs: number;
}

/** The compiled command as a process of its own. */
export interface Spillway {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Process id. */
  readonly pid: number;
  /** What it has printed until now. */
  readonly text: { readonly out: string; readonly err: string };
  readonly finished: Promise<Finished>;
}

export interface SpillwayOptions {
  /** Working folder; default a fresh one, so that `results/` is this run's own. */
  readonly cwd?: string;
  /** The whole environment but for PATH; default none, so that nobody's credentials leak into a test. */
  readonly env?: Readonly<Record<string, string>>;
  /** A shell command that changes the process before it becomes ours, such as `ulimit -f 64`. */
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
  // Of one that has ended this does nothing.
  afterThisFile(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid ?? 0, text, finished };
}

/** Runs `spillway ARGS` to its end. */
export function spillway(args: readonly string[], options?: SpillwayOptions): Promise<Finished> {
  return startSpillway(args, options).finished;
}

/** Waits for something that other processes bring about. @throws Error after `withinMs` */
export async function until(happened: () => boolean, what: string, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!happened()) {
    if (Date.now() > deadline) throw new Error(`waited ${withinMs} ms in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A sandbox served by `spillway sandbox`, as a service like any other. */
export interface ServedSandbox {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Environment that gives these credentials to a run. */
  readonly env: Readonly<Record<string, string>>;
  /** What the control plane knows. */
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
