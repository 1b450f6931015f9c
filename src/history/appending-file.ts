import { closeSync, constants, fsyncSync, openSync, writeSync } from 'node:fs';
import type { JournalFile } from './journal-file.ts';

/*
 * A journal that several writers share. Each write goes to the end of the file, wherever that is then, and is not torn apart by
 * another (POSIX O_APPEND): whole lines stay whole without a lock, and a kill takes from none what it has written.
 * Places reserved by a shared counter would allow to write on another thread as well, but would leave holes after a crash.
 */

/** @throws the system's error, EEXIST when the file is there: a journal is never overwritten. */
export const createAppendingFile = (path: string): JournalFile => appendingFileOn(openSync(path, 'ax', 0o644));

/** One more writer of a journal that is there. @throws the system's error */
export const joinAppendingFile = (path: string): JournalFile =>
  appendingFileOn(openSync(path, constants.O_WRONLY | constants.O_APPEND));

function appendingFileOn(fd: number): JournalFile {
  return {
    write: (bytes, from, to) => writeSync(fd, bytes, from, to - from),
    // What lies behind a torn line may be another's.
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
