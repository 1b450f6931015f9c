import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { followJournal } from './journal-tail.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-tail-'));
  path = join(folder, 'history.ndjson');
});
afterEach(() => rmSync(folder, { recursive: true }));

const sampleRecords = [header(), ...[0, 1, 2].map((seq) => exchange({ seq })), end()];
const lines = sampleRecords.map((record) => `${JSON.stringify(record)}\n`);

describe('a journal that is followed', () => {
  it('returns every record once, when its line is complete', () => {
    const tail = followJournal(path);
    expect(tail.read()).toEqual([]);
    const [first = '', second = '', ...rest] = lines;
    writeFileSync(path, first + second.slice(0, 10));
    expect(tail.read()).toEqual([sampleRecords[0]]);
    expect(tail.read()).toEqual([]);
    appendFileSync(path, second.slice(10));
    expect(tail.read()).toEqual([sampleRecords[1]]);
    appendFileSync(path, rest.join(''));
    expect(tail.read()).toEqual(sampleRecords.slice(2));
    expect(tail.read()).toEqual([]);
    tail.close();
  });

  it('may grow a lot at once', () => {
    const [header = '', ...rest] = lines;
    writeFileSync(path, header + rest.join('').repeat(500));
    const tail = followJournal(path);
    expect(tail.read()).toHaveLength(1 + 500 * rest.length);
    tail.close();
  });

  it('is read by so much at a time as is asked for, to within 256 KiB', () => {
    const [header = '', ...rest] = lines;
    const content = header + rest.join('').repeat(1_000);
    writeFileSync(path, content);
    const tail = followJournal(path);
    const chunk = 256 * 1_024;
    const asked = [1, chunk + 1, Number.POSITIVE_INFINITY];
    const read = asked.map((most) => tail.read(most).reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0));
    expect(read.map((bytes) => Math.round(bytes / chunk))).toEqual([1, 2, Math.round(content.length / chunk) - 3]);
    expect(read.reduce((sum, bytes) => sum + bytes, 0)).toBe(content.length);
    tail.close();
  });

  it('is rejected if it is not a journal or is a folder', () => {
    writeFileSync(path, 'not a history\n');
    expect(() => followJournal(path).read()).toThrow('is not a history');
    expect(() => followJournal(folder).read()).toThrow(/folder/);
  });
});
