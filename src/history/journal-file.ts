import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, write, writeSync } from 'node:fs';

/** The file operations of the writer; a parameter, so that tests can try full disks and short writes at every byte. */
export interface JournalFile {
  /**
   * Writes some or all of the bytes from `from` to `to`.
   * @param at offset of the bytes from the start of the journal; everything before was written, or is being written
   * @returns how many were written, ≥ 1 @throws the system's error
   */
  write(bytes: Uint8Array, from: number, to: number, at: number): number;
  /**
   * Like `write`, on another thread; the bytes must not change until `done` is called. Absent if the file has no offsets (a pipe, a
   * device), because concurrent writes might then change the order.
   */
  writeLater?(bytes: Uint8Array, from: number, to: number, at: number, done: WriteDone): void;
  /** Removes everything after the first `length` bytes of the journal. @throws the system's error */
  truncate(length: number): void;
  /** Forces everything onto the medium and closes. @throws the system's error: some file systems report a full disk only now */
  close(): void;
}

export type WriteDone = (error: Error | null, written: number) => void;

/** @throws the system's error; EEXIST if the file exists: a journal is never overwritten */
export function createJournalFile(path: string): JournalFile {
  return journalFileOn(openSync(path, 'wx', 0o644));
}

/** A file that is already open for writing, at its end. */
export function journalFileOn(fd: number): JournalFile {
  const begin = fstatSync(fd);
  const common = {
    close: () => {
      try {
        if (begin.isFile()) fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
  if (!begin.isFile())
    return { ...common, write: (bytes, from, to) => writeSync(fd, bytes, from, to - from), truncate: () => undefined };
  return {
    ...common,
    write: (bytes, from, to, at) => writeSync(fd, bytes, from, to - from, begin.size + at),
    writeLater: (bytes, from, to, at, done) => write(fd, bytes, from, to - from, begin.size + at, done),
    truncate: (length) => ftruncateSync(fd, begin.size + length),
  };
}
