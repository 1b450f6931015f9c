import { ExitCode, endProcess, SpillwayError } from '../base/index.ts';
import { explain, runCli } from './index.ts';

/** Whether the terminal has hung up: writing to it then fails with EIO. */
let hasHungUp = false;

/** Runs the command line of this process, with handlers for output errors and uncaught exceptions. */
export async function start(): Promise<void> {
  // A closed pipe (| head) or terminal is not a failure and must not end a run.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EIO' && stream.isTTY) hasHungUp = true;
      else if (error.code !== 'EPIPE')
        throw new SpillwayError('OUTPUT_FAILED', `cannot write the output: ${error.message}`, ExitCode.targetUnusable);
    });

  // Node 20 aborts if it cannot restore the settings of a terminal. Ending by SIGHUP instead leaves no core dump.
  process.once('exit', () => {
    if (!hasHungUp) return;
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });

  // Errors that no command awaits, such as in the callback of a socket.
  process.once('uncaughtException', (error) => process.exit(explain(error)));

  endProcess(await runCli(process.argv.slice(2)));
}
