import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';

/**
 * Starts one of this tool's processes, in its own process group: Ctrl-C in the terminal reaches only the run, which ends the
 * others when it is done with them.
 * @param entry its name in the package's own imports, so that it is the compiled entry from wherever this code runs
 */
export function startProcess(entry: `#${string}`): ChildProcess {
  return fork(createRequire(import.meta.url).resolve(entry), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    detached: true,
  });
}

export const isOver = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/**
 * Resolves when a process has ended; if it does not end by itself in time, it is killed.
 * @returns whether it was killed
 */
export function ended(child: ChildProcess, withinMs: number): Promise<boolean> {
  if (isOver(child)) return Promise.resolve(false);
  return new Promise((resolve) => {
    let killed = false;
    const timer = setTimeout(() => {
      killed = child.kill('SIGKILL');
    }, withinMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve(killed);
    });
  });
}
