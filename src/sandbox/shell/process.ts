import { SpillwayError } from '../../base/index.ts';
import {
  BEGIN,
  type SandboxProcessBegun,
  type SandboxProcessReply,
  type SandboxProcessRequest,
  type SandboxProcessThere,
  STILL_THERE,
} from './process-messages.ts';
import { startWarm } from './warm-up.ts';

/*
 * Entry point of the sandbox process, for `fork`. The parent's first message contains the settings; the reply says that the sandbox
 * serves, or why not. If the parent holds the clock, its second message starts it. The process ends with its parent: when the
 * channel closes, or on SIGTERM. Ctrl-C sends SIGINT to every process of the terminal; the parent handles it, so it is ignored here.
 */

function tellParent(reply: SandboxProcessReply | SandboxProcessBegun | SandboxProcessThere): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(reply, () => resolve());
  });
}

async function serve({ held, ...settings }: SandboxProcessRequest): Promise<void> {
  try {
    const { begin, close, url, port, applications, clock } = await startWarm(settings, held);
    const stop = () => void close().finally(() => process.exit(0));
    process.once('disconnect', stop);
    process.once('SIGTERM', stop);
    if (!process.connected) return stop();
    process.on('message', (message) => {
      if (message === BEGIN) void tellParent({ kind: 'begun', clock: begin() });
      if (message === STILL_THERE) void tellParent({ kind: 'there' });
    });
    await tellParent({ kind: 'ready', url, port, applications, clock });
  } catch (error) {
    const code = error instanceof SpillwayError ? error.code : 'SANDBOX_FAILED';
    await tellParent({ kind: 'failed', code, message: error instanceof Error ? error.message : String(error) });
    process.exit(1);
  }
}

process.on('SIGINT', () => undefined);
if (process.send === undefined) {
  process.stderr.write('this program is started by a run; to start a sandbox, use: spillway sandbox\n');
  process.exit(1);
}
const beforeStart = () => process.exit(0);
process.once('disconnect', beforeStart);
process.once('SIGTERM', beforeStart);
process.once('message', (settings: SandboxProcessRequest) => {
  process.off('disconnect', beforeStart);
  process.off('SIGTERM', beforeStart);
  void serve(settings);
});
