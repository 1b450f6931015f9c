import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { SandboxProcessReply, SandboxSettings } from '../sandbox/index.ts';

/** A sandbox in its own process, bound to one core if the machine supports that. */
export interface SandboxChild {
  readonly port: number;
  /** `clientId:clientSecret` of the first application. */
  readonly credentials: string;
  /** CPU time of the process since its start, in seconds, all threads; undefined without /proc. */
  cpuSeconds(): number | undefined;
  close(): Promise<void>;
}

const CLOCK_TICKS_PER_SECOND = 100;

/** Whether `taskset` (util-linux) is installed; without it, the operating system chooses the cores. */
export const canPin = (() => {
  try {
    execFileSync('taskset', ['-V'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Binds this process to a core. */
export function pinSelf(core: number): void {
  if (canPin) execFileSync('taskset', ['-a', '-c', '-p', String(core), String(process.pid)], { stdio: 'ignore' });
}

/** @param entry the compiled process entry, `…/dist/sandbox/shell/process.js` */
export async function startChild(entry: string, settings: SandboxSettings, core: number): Promise<SandboxChild> {
  const command = [...(canPin ? ['taskset', '-c', String(core)] : []), process.execPath, entry];
  const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(settings);
  const [reply] = (await once(child, 'message')) as [SandboxProcessReply];
  if (reply.kind === 'failed') throw new Error(reply.message);
  const application = reply.applications[0];
  return {
    port: reply.port,
    credentials: `${application?.clientId}:${application?.clientSecret}`,
    cpuSeconds: () => cpuSecondsOf(child),
    close: async () => {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}

/** `utime` and `stime` of /proc/PID/stat (proc(5), fields 14 and 15), in ticks of 10 ms. */
function cpuSecondsOf(child: ChildProcess): number | undefined {
  try {
    const afterName = readFileSync(`/proc/${child.pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
    return (Number(afterName[11]) + Number(afterName[12])) / CLOCK_TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
