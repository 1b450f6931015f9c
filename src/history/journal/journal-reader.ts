import { closeSync, openSync, readSync } from 'node:fs';
import type { EndRecord, JournalRecord } from '../records.ts';
import type { Line } from './lines.ts';
import { type JournalReport, RecordReader } from './record-reader.ts';
import { requireNoDevice } from './unreadable.ts';

/** About a hundred lines. V8 allocates strings above 128 KiB separately, which made reading a fifth slower. */
const CHUNK_BYTES = 64 * 1_024;

/** A journal being read once, from its beginning. */
export interface JournalReading extends Iterable<JournalRecord> {
  report(): JournalReport;
}

/**
 * Reads a journal record by record, in memory that does not grow with its length. Unknown members are kept, unknown kinds skipped
 * and counted, a torn last line tolerated and reported. The end comes last.
 * @throws ConfigurationError (while iterating) if the file cannot be read, is not a history, has another version or holds two runs
 */
export function readJournalSync(path: string): JournalReading {
  const reader = new RecordReader(path);
  return { [Symbol.iterator]: () => new Records(path, reader), report: () => reader.report() };
}

/**
 * An iterator instead of a generator, because resuming a generator costs as much as reading a short record. A line is parsed only
 * when its record is requested, so that at most one record is alive at a time, which keeps garbage collection cheap.
 */
class Records implements Iterator<JournalRecord> {
  readonly #path: string;
  readonly #reader: RecordReader;
  readonly #chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  #lines: readonly Line[] = [];
  #at = 0;
  /** Held back until all lines were read: only then is it known whether all could be. */
  #last: EndRecord | undefined;
  #fd: number | undefined;
  #isDone = false;

  constructor(path: string, reader: RecordReader) {
    this.#path = path;
    this.#reader = reader;
  }

  next(): IteratorResult<JournalRecord> {
    while (!this.#isDone) {
      const record = this.#nextOfChunk() ?? this.#readOn();
      if (record?.kind === 'end') this.#last = record;
      else if (record) return { done: false, value: record };
    }
    const last = this.#last;
    this.#last = undefined;
    return last ? { done: false, value: this.#reader.spoiled(last) } : { done: true, value: undefined };
  }

  return(): IteratorResult<JournalRecord> {
    this.#end();
    this.#last = undefined;
    return { done: true, value: undefined };
  }

  #nextOfChunk(): JournalRecord | undefined {
    try {
      while (this.#at < this.#lines.length) {
        const record = this.#reader.read(this.#lines[this.#at++] as Line);
        if (record) return record;
      }
      return undefined;
    } catch (error) {
      throw this.#failed(error);
    }
  }

  /** Reads the next piece of the file. @returns the last line's record if it has no newline */
  #readOn(): JournalRecord | undefined {
    try {
      if (this.#fd === undefined) {
        requireNoDevice(this.#path);
        this.#fd = openSync(this.#path, 'r');
      }
      const size = readSync(this.#fd, this.#chunk);
      this.#lines = this.#reader.split(this.#chunk.subarray(0, size));
      this.#at = 0;
      if (size > 0) return undefined;
      this.#end();
      return this.#reader.finish();
    } catch (error) {
      throw this.#failed(error);
    }
  }

  #failed(error: unknown): unknown {
    this.#end();
    return this.#reader.explain(error);
  }

  #end(): void {
    this.#isDone = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }
}
