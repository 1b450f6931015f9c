import { fork } from 'node:child_process';
import { add, emptyTally, type Tally } from './tally.ts';
import { tryMany } from './try.ts';

/** Seeds per message to a process. */
const PIECE = 1_000;

interface Work {
  readonly from: number;
  readonly count: number;
}

/** Runs in a child process: tries the seeds of each message and sends back the tally. */
export function workForParent(): void {
  process.on('message', ({ from, count }: Work) => {
    process.send?.(tryMany(from, count));
  });
}

/**
 * Tries seeds in several processes.
 * @param entry module that the processes run, which calls `workForParent`
 * @param progress called after each piece
 */
export function tryInJobs(
  { from, count }: Work,
  jobs: number,
  entry: string,
  progress: (tally: Tally) => void,
): Promise<Tally> {
  const tally = emptyTally();
  const end = from + count;
  let next = from;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(entry, ['--as-child']);
      const goOn = () => {
        if (next >= end) return child.disconnect();
        const piece = { from: next, count: Math.min(PIECE, end - next) };
        next += piece.count;
        child.send(piece);
      };
      child.on('message', (done: Tally) => {
        add(tally, done);
        progress(tally);
        goOn();
      });
      child.on('error', reject);
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`a process of the trials ended with ${code}`)),
      );
      goOn();
    });
  return Promise.all(Array.from({ length: jobs }, one)).then(() => tally);
}
