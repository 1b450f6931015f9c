import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VirtualClock } from '../../base/index.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { readJournalSync } from './journal-reader.ts';
import { openJournal } from './journal-writer.ts';

let path: string;
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'spillway-shared-')), 'history.ndjson');
});
afterEach(() => rmSync(join(path, '..'), { recursive: true }));

const open = (shared: 'create' | 'join') => openJournal({ path, shared, clock: new VirtualClock() });

it('a journal of several writers has the lines of all in the order in which they were written', () => {
  const [first, second] = [open('create'), open('join')];
  const worker = (number: number, seq: number) => exchange({ seq, worker: number });
  const records = [header(), worker(1, 0), worker(2, 0), worker(1, 1), worker(2, 1)];
  for (const [index, record] of records.entries()) (index % 2 === 0 ? first : second).write(record);
  second.close();
  first.write(end({ exchanges: 4 }));
  first.close();
  const reading = readJournalSync(path);
  expect([...reading]).toEqual([...records, end({ exchanges: 4 })]);
  expect(reading.report()).toMatchObject({ whole: true, badLines: 0 });
});

it('a writer creates no journal that exists, and joins none that does not', () => {
  expect(() => open('join')).toThrow('the folder does not exist');
  open('create').close();
  expect(() => open('create')).toThrow('the file exists, and a history is never overwritten');
  expect(readFileSync(path, 'utf8')).toBe('');
});
