import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualClock } from '../../base/index.ts';
import { ends, headers, innerRecords } from '../../testing/history/arbitrary-records.ts';
import type { JournalRecord } from '../records.ts';
import { readJournalSync } from './journal-reader.ts';
import { openJournal } from './journal-writer.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-laws-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const histories = fc
  .tuple(headers, fc.array(innerRecords, { maxLength: 12 }), ends)
  .map(([header, inner, end]) => [header, ...inner, end]);
let files = 0;

function write(records: readonly JournalRecord[]): string {
  const path = join(folder, `${files++}.ndjson`);
  const journal = openJournal({ path, clock: new VirtualClock() });
  for (const record of records) journal.write(record);
  journal.close();
  return path;
}

describe('a journal', () => {
  it('returns every written record, equal and in order', () => {
    fc.assert(
      fc.property(histories, (records) => {
        expect([...readJournalSync(write(records))]).toStrictEqual(records);
      }),
      { numRuns: 150 },
    );
  });

  it('consists of visible ASCII and newlines, whatever a record contains', () => {
    fc.assert(
      fc.property(histories, (records) => {
        expect(readFileSync(write(records), 'latin1')).toMatch(/^[\x20-\x7e\n]*$/);
      }),
      { numRuns: 150 },
    );
  });

  it('cut at any byte gives a prefix of its records and no bad line', () => {
    fc.assert(
      fc.property(histories, fc.nat(), (records, cut) => {
        const bytes = readFileSync(write(records));
        const path = join(folder, `${files++}.ndjson`);
        const kept = bytes.subarray(0, cut % (bytes.length + 1));
        writeFileSync(path, kept);
        const reading = readJournalSync(path);
        const read = [...reading];
        expect(read).toStrictEqual(records.slice(0, read.length));
        expect(reading.report().badLines).toBe(0);
        const wholeLines = kept.toString('latin1').split('\n').length - 1;
        expect(read.length - wholeLines).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
  });
});
