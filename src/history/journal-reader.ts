import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { type JournalReport, RecordReader } from './record-reader.ts';
import type { JournalRecord } from './records.ts';

/** Some hundred lines. Strings of more than 128 KiB get pages of their own, which made reading a fifth slower. */
const CHUNK_BYTES = 64 * 1_024;

/** A journal being read, from its beginning, once. */
export interface JournalReading extends AsyncIterable<JournalRecord> {
  report(): JournalReport;
}
export interface SyncJournalReading extends Iterable<JournalRecord> {
  report(): JournalReport;
}

/**
 * Reads a journal record by record, in memory that does not grow with its length.
 * Unknown members are kept, unknown kinds skipped and counted, a torn last line tolerated and reported.
 * @throws ConfigurationError (while iterating) when the file cannot be read, is not a history, or has another version
 */
export function readJournal(path: string): JournalReading {
  const reader = new RecordReader(path);
  async function* iterate(): AsyncGenerator<JournalRecord> {
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }))
        yield* reader.push(chunk as Buffer);
    } catch (error) {
      throw reader.explain(error);
    }
    yield* reader.finish();
  }
  return { [Symbol.asyncIterator]: iterate, report: () => reader.report() };
}

/** As `readJournal`, without giving way to anything else meanwhile; some tenth faster. */
export function readJournalSync(path: string): SyncJournalReading {
  const reader = new RecordReader(path);
  function* iterate(): Generator<JournalRecord> {
    let fd: number | undefined;
    try {
      fd = openSync(path, 'r');
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk))
        for (const record of reader.push(chunk.subarray(0, read))) yield record;
    } catch (error) {
      throw reader.explain(error);
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
    yield* reader.finish();
  }
  return { [Symbol.iterator]: iterate, report: () => reader.report() };
}
