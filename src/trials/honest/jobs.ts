import { fork } from 'node:child_process';
import { add, emptyTally, type Tally } from './tally.ts';
import { tryMany } from './try.ts';

/** So many seeds a process takes at a time; it says what came of them before it takes more. */
const PIECE = 1_000;

interface Work {
  readonly from: number;
  readonly count: number;
}

/** In a process of its own: does what it is told, until there is no more. */
export function workForParent(): void {
  process.on('message', ({ from, count }: Work) => {
    process.send?.(tryMany(from, count));
  });
}

/**
 * Tries seeds in so many processes.
 * @param entry the module to run in them, which calls `workForParent`
 * @param progress told after each piece
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
