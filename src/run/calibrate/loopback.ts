import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { ExitCode, SpillwayError } from '../../base/index.ts';
import { startProcess } from '../target/child-process.ts';

/** The service that calibration sends to. */
interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts it in its own process, so that its work is not counted as the generator's. @throws SpillwayError if it does not start */
export async function startLoopback(): Promise<Loopback> {
  const child = startProcess('#calibration-server');
  const exited = once(child, 'exit');
  const first = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  const [{ port }] = (first ?? [{ port: 0 }]) as [{ readonly port: number }];
  if (port === 0)
    throw new SpillwayError('CALIBRATION_FAILED', "calibration's own service did not start", ExitCode.toolDefect);
  return { url: `http://127.0.0.1:${port}`, close: () => stop(child, exited) };
}

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.connected) child.disconnect();
  await exited;
}
