import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** Cores of the server and of the generator, which must not compete. */
export const SERVER_CORE = 0;
export const GENERATOR_CORE = 1;

/** Whether `taskset` (util-linux) is installed; without it, the operating system chooses the cores. */
export const canPin = (() => {
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** What makes a Node process trust an authority, for its environment. @param ca its file; absent: nothing */
export const trusting = (ca: string | undefined): NodeJS.ProcessEnv =>
  ca === undefined ? {} : { NODE_EXTRA_CA_CERTS: ca };

/** Binds this process to a core. */
export function pinSelf(core: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(process.pid)], { stdio: 'ignore' });
}

/** The command, bound to one core if the machine supports that. */
export const pinned = (core: number, command: readonly string[]): readonly [string, string[]] => {
  const [program = '', ...rest] = canPin ? ['taskset', '-c', String(core), ...command] : command;
  return [program, rest];
};

export interface Finished {
  readonly stdout: string;
  /** User and system time of the process and its children, in seconds; undefined without /proc. */
  readonly cpuSeconds: number | undefined;
  readonly seconds: number;
}

/** A command is killed after this time. No benchmark needs more than a few seconds per round. */
const LONGEST_RUN_MS = 90_000;

/** Runs a command on one core until it ends. @throws Error with its stderr if it fails or does not end in time */
export async function runPinned(core: number, command: readonly string[], env = process.env): Promise<Finished> {
  const before = cpuSecondsOf('self', 'children');
  const beganAt = performance.now();
  const child = spawn(...pinned(core, command), { stdio: ['ignore', 'pipe', 'pipe'], env });
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_RUN_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${command[0]} ended with ${code}: ${(await stderr).slice(0, 500)}`);
  const after = cpuSecondsOf('self', 'children');
  const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
  return { stdout: await stdout, cpuSeconds, seconds: (performance.now() - beganAt) / 1_000 };
}

/** Ends a child process and waits for its exit. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

const CLOCK_TICKS_PER_SECOND = 100;

/** Where /proc/PID/stat has user and system time, counted from the field after the name (proc(5), fields 14 to 17). */
const CPU_FIELDS = { itself: [11, 12], children: [13, 14] } as const;

/**
 * User and system time of a process, in seconds, all threads; undefined without /proc.
 * @param whose `children`: of all its children that have ended
 */
export function cpuSecondsOf(pid: number | 'self' | undefined, whose: keyof typeof CPU_FIELDS): number | undefined {
  try {
    const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    const [user, system] = CPU_FIELDS[whose];
    return (Number(afterName[user]) + Number(afterName[system])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** The version that a program prints; undefined if it is not installed. */
export function versionOf(command: readonly string[], pattern: RegExp): string | undefined {
  const [program = '', ...rest] = command;
  try {
    // Some programs exit with a failure after printing their version, some print it on stderr.
    const said = execFileSync('sh', ['-c', '"$0" "$@" 2>&1 || true', program, ...rest], { encoding: 'utf8' });
    return /not found/.test(said) ? undefined : pattern.exec(said)?.[1];
  } catch {
    return undefined;
  }
}
