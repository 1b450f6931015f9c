import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SandboxProcessReply, SandboxSettings } from '../../sandbox/index.ts';
import { cpuSecondsOf, end, pinned, SERVER_CORE } from '../processes.ts';

/** A sandbox in its own process, bound to one core if the machine supports that. */
export interface SandboxChild {
  readonly port: number;
  /** `clientId:clientSecret` of the first application. */
  readonly credentials: string;
  /** CPU time of the process since its start, in seconds, all threads; undefined without /proc. */
  cpuSeconds(): number | undefined;
  close(): Promise<void>;
}

/** @param entry the compiled process entry, `…/dist/sandbox/shell/process.js` */
export async function startChild(entry: string, settings: SandboxSettings): Promise<SandboxChild> {
  const command = pinned(SERVER_CORE, [process.execPath, entry]);
  const child = spawn(...command, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.send(settings);
  const [reply] = (await once(child, 'message')) as [SandboxProcessReply];
  if (reply.kind === 'failed') throw new Error(reply.message);
  const application = reply.applications[0];
  return {
    port: reply.port,
    credentials: `${application?.clientId}:${application?.clientSecret}`,
    cpuSeconds: () => cpuSecondsOf(child.pid, 'itself'),
    close: () => end(child),
  };
}
