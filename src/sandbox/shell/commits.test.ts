import { describe, expect, it } from 'vitest';
import { success } from '../replies.ts';
import type { DurableStore } from '../stores/index.ts';
import { commitsOf } from './commits.ts';

const answer = (name: string) => success(200, { name });
const turnOfTheLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A file that notes when it is written, and fails as often as asked. */
function noting(failures = 0) {
  const log: string[] = [];
  let left = failures;
  const store = {
    isPending: true,
    commit() {
      log.push(left > 0 ? 'fails' : 'commit');
      if (left-- > 0) throw new Error('the disk is full');
      store.isPending = false;
    },
  };
  const commits = commitsOf(store as unknown as DurableStore);
  const ask = (name: string) =>
    commits.after(answer(name), (kept) => log.push(kept.status === 200 ? name : `${name}: ${kept.status}`));
  return { log, store, ask };
}

describe('answers and commits', () => {
  it('one commit comes before all answers of a turn of the event loop, in their order', async () => {
    const { log, store, ask } = noting();
    ask('a');
    ask('b');
    await Promise.resolve();
    ask('c');
    expect(log).toEqual([]);
    await turnOfTheLoop();
    expect(log).toEqual(['commit', 'a', 'b', 'c']);
    store.isPending = true;
    ask('d');
    await turnOfTheLoop();
    expect(log.slice(4)).toEqual(['commit', 'd']);
  });

  it('an answer leaves at once when nothing is pending, or nothing is kept', () => {
    const { log, store, ask } = noting();
    store.isPending = false;
    ask('a');
    expect(log).toEqual(['a']);
    let seen = 0;
    commitsOf().after(answer('b'), (kept) => {
      seen = kept.status;
    });
    expect(seen).toBe(200);
  });

  it('a file that cannot be written answers 500, the next commit tries again, and a person is told once', async () => {
    const warned: string[] = [];
    const note = (warning: Error) => warned.push(warning.message);
    process.on('warning', note);
    const { log, ask } = noting(2);
    ask('a');
    ask('b');
    await turnOfTheLoop();
    expect(log).toEqual(['fails', 'a: 500', 'b: 500']);
    ask('c');
    await turnOfTheLoop();
    ask('d');
    await turnOfTheLoop();
    expect(log.slice(3)).toEqual(['fails', 'c: 500', 'commit', 'd']);
    await turnOfTheLoop();
    process.off('warning', note);
    expect(warned).toEqual(['the disk is full', "the store's file can be written again"]);
  });
});
