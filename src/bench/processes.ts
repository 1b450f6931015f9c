import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { canPin } from './sandbox-child.ts';

/** Core of the server, and of whatever loads it: the two must not take time from one another. */
export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** A command bound to one core, where the machine lets us choose. */
export const pinned = (core: number, command: readonly string[]): readonly [string, string[]] => {
  const [program = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return [program, rest];
};

export interface Finished {
  readonly stdout: string;
  /** User and system time of the process and of its own children, in seconds; undefined where /proc is not. */
  readonly cpuSeconds: number | undefined;
  readonly seconds: number;
}

/** Nobody is asked to work for longer than a few seconds. */
const LONGEST_RUN_MS = 90_000;

/** Runs a command on one core to its end. @throws Error with what it said when it fails, or does not end */
export async function runPinned(core: number, command: readonly string[], env = process.env): Promise<Finished> {
  const before = cpuOfChildren();
  const beganAt = performance.now();
  const child = spawn(...pinned(core, command), { stdio: ['ignore', 'pipe', 'pipe'], env });
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${(await stderr).slice(0, 500)}`);
  const after = cpuOfChildren();
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { stdout: await stdout, cpuSeconds, seconds: (performance.now() - beganAt) / 1_000 };
}

export async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of stream ?? []) chunks.push(String(chunk));
  return chunks.join('');
}

/** Ends a process that we started, and waits for it. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const CLOCK_TICKS_PER_SECOND = 100;

/** `cutime` and `cstime` of /proc/self/stat (proc(5), fields 16 and 17): of all children that were waited for. */
function cpuOfChildren(): number | undefined {
  try {
    const afterName = readFileSync('/proc/self/stat', 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(afterName[13]) + Number(afterName[14])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** What a program says of its version; undefined when it is not there. */
export function versionOf(command: readonly string[], pattern: RegExp): string | undefined {
  const [program = '', ...rest] = command;
  try {
    // Some print their version and fail, some print it as an error.
    const said = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 || true', program, ...rest], { encoding: 'utf8' });
    return /not found/.test(said) ? undefined : pattern.exec(said)?.[1];
  } catch {
    return undefined;
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
