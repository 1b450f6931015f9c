import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalRecord } from '../records.ts';
import { RecordReader } from './record-reader.ts';

const CHUNK_BYTES = 256 * 1_024;

/** A journal that is still being written, followed from its beginning. */
export interface JournalTail {
  /**
   * The records whose lines were finished since the last call; none while there is no file yet.
   * @param mostBytes how much is read at most, to within 256 KiB; default: all. A reader that is slower than the writer would
   * otherwise never finish
   * @throws ConfigurationError if the file is not a history, or has another version
   */
  read(mostBytes?: number): JournalRecord[];
  close(): void;
}

/** Follows a journal as it grows, without a lock and without affecting the writer. It never waits: the caller decides how often to ask. */
export function followJournal(path: string): JournalTail {
  const reader = new RecordReader(path);
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let fd: number | undefined;
  return {
    read(mostBytes = Number.POSITIVE_INFINITY) {
      let left = mostBytes;
      fd ??= openIfThere(path);
      const records: JournalRecord[] = [];
      if (fd === undefined) return records;
      try {
        for (let read = readSync(fd, chunk); read > 0; read = left > 0 ? readSync(fd, chunk) : 0) {
          records.push(...reader.push(chunk.subarray(0, read)));
          left -= read;
        }
      } catch (error) {
        throw reader.explain(error);
      }
      return records;
    },
    close() {
      if (fd !== undefined) closeSync(fd);
      fd = undefined;
    },
  };
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
