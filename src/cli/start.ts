import { ExitCode, SpillwayError } from '../base/index.ts';
import { explain, runCli } from './index.ts';

/** A terminal that hangs up answers EIO to whatever is written to it. */
let hasHungUp = false;

/** What a process of its own needs beside the command line that it runs. */
export async function start(): Promise<void> {
  // A reader that has seen enough (| head) is no failure, and must not end a run; nor is a terminal that has gone.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EIO' && stream.isTTY) hasHungUp = true;
      else if (error.code !== 'EPIPE')
        throw new SpillwayError(
          'OUTPUT_FAILED',
          `cannot write what is printed: ${error.message}`,
          ExitCode.targetUnusable,
        );
    });

  // Node 20 aborts where it cannot give a terminal its settings back; ending by the signal that said so leaves no core dump.
  process.once('exit', () => {
    if (!hasHungUp) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });

  // What is thrown where no command waits for it, as in the callback of a socket.
  process.once('uncaughtException', (error) => process.exit(explain(error)));

  process.exitCode = await runCli(process.argv.slice(2));
}
