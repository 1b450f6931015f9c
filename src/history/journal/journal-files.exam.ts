import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { builtJournal } from '../../testing/cli.ts';
import { us } from '../../testing/history/sample-records.ts';
import type { SentRecord } from '../records.ts';
import type { JournalFile } from './journal-file.ts';

/** Written before a request, at low rates. */
export const sent = (seq: number): SentRecord => ({ kind: 'sent', seq, operation: 'readHistory', at: us(seq) });
export const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

/** A file in memory that accepts at most `chunk` bytes per call and `room` bytes in total. */
export function smallFile(room: number, chunk = Number.POSITIVE_INFINITY, cut = true) {
  let content = Buffer.alloc(0);
  const file: JournalFile = {
    write(bytes, from, to, at) {
      expect(at).toBe(content.length);
      const take = Math.min(chunk, room - content.length, to - from);
      if (take <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      content = Buffer.concat([content, bytes.subarray(from, from + take)]);
      return take;
    },
    truncate(length) {
      if (!cut) throw Object.assign(new Error('invalid argument'), { code: 'EINVAL' });
      content = content.subarray(0, length);
    },
    close() {},
  };
  return { file, text: () => content.toString('utf8') };
}

/** Runs a script in its own process, which has a journal open; `write(n)` writes n `sent` records at one instant. */
export function inChild(path: string, shell: string, script: string) {
  const prelude = `
    const { openJournal } = await import(${JSON.stringify(builtJournal)});
    let failed = 0;
    const clock = { now: () => 0, sleepUntil: () => new Promise(() => {}) };
    const journal = openJournal({ path: ${JSON.stringify(path)}, clock, onFailure: () => failed++ });
    const write = (count) => {
      for (let seq = 0; seq < count; seq++) journal.write({ kind: 'sent', seq, operation: 'readHistory', at: seq });
    };`;
  return spawnSync(
    'sh',
    ['-c', `${shell}; exec "$0" --input-type=module -e "$1"`, process.execPath, prelude + script],
    { encoding: 'utf8' },
  );
}
