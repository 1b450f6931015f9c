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
  return { [Symbol.iterator]: () => new SyncRecords(path, reader), report: () => reader.report() };
}

/** By hand: a generator's resumption costs as much as many a record's reading. */
class SyncRecords implements Iterator<JournalRecord> {
  readonly #path: string;
  readonly #reader: RecordReader;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #records: readonly JournalRecord[] = [];
  #at = 0;
  #fd: number | undefined;
  #isDone = false;

  constructor(path: string, reader: RecordReader) {
    this.#path = path;
    this.#reader = reader;
  }

  next(): IteratorResult<JournalRecord> {
    while (this.#at >= this.#records.length && !this.#isDone) this.#readOn();
    const value = this.#records[this.#at++];
    return value === undefined ? { done: true, value } : { done: false, value };
  }

  return(): IteratorResult<JournalRecord> {
    this.#end([]);
    return { done: true, value: undefined };
  }

  #readOn(): void {
    try {
      this.#fd ??= openSync(this.#path, 'r');
      const read = readSync(this.#fd, this.#chunk);
      if (read === 0) return this.#end(this.#reader.finish());
      this.#records = this.#reader.push(this.#chunk.subarray(0, read));
      this.#at = 0;
    } catch (error) {
      this.#end([]);
      throw this.#reader.explain(error);
    }
  }

  #end(records: readonly JournalRecord[]): void {
    this.#records = records;
    this.#at = 0;
    this.#isDone = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
