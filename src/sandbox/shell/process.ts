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
 * Entry of the sandbox's own process, for `fork`. The first message that the parent sends is the settings; the answer is
 * that it serves, or why not. A second lets the service's clock run, where the parent held it. The process ends with its
 * parent: when the channel closes or on SIGTERM. Ctrl-C reaches every process of a terminal at once, but what it means is the
 * parent's to decide, so SIGINT is ignored here.
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
  process.stderr.write('this is the sandbox process of a run; to serve alone, use: spillway sandbox\n');
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
