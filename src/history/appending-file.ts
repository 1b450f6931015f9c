import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs';
import type { JournalFile } from './journal-file.ts';

/**
 * A journal shared by several writers. Each write goes to the current end of the file and is not interleaved with others (POSIX
 * O_APPEND), so lines stay whole without a lock, and a kill loses nothing that was written. Offsets reserved from a shared counter
 * would also allow writing on another thread, but would leave holes after a crash.
 */

/** @throws the system's error; EEXIST if the file exists: a journal is never overwritten */
export const createAppendingFile = (path: string): JournalFile => appendingFileOn(openSync(path, 'ax', 0o644));

/** Adds a writer to an existing journal. @throws the system's error */
export const joinAppendingFile = (path: string): JournalFile =>
  appendingFileOn(openSync(path, constants.O_WRONLY | constants.O_APPEND));

function appendingFileOn(fd: number): JournalFile {
  return {
    write: (bytes, from, to) => writeSync(fd, bytes, from, to - from),
    // Not truncated: the bytes after a torn line may be another writer's.
    truncate: () => undefined,
    close: () => {
      try {
        fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
}
