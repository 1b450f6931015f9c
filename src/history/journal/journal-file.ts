import { closeSync, constants, fsyncSync, ftruncateSync, openSync, write, writeSync } from 'node:fs';

/** The file operations of the writer; a parameter, so that tests can try full disks and short writes at every byte. */
export interface JournalFile {
  /**
   * Writes some or all of the bytes from `from` to `to`.
   * @param at offset of the bytes from the start of the journal; everything before was written, or is being written
   * @returns how many were written, ≥ 1 @throws the system's error
   */
  write(bytes: Uint8Array, from: number, to: number, at: number): number;
  /**
   * Like `write`, on another thread; the bytes must not change until `done` is called. Absent if the file is shared:
   * concurrent writes to its end might change the order.
   */
  writeLater?(bytes: Uint8Array, from: number, to: number, at: number, done: WriteDone): void;
  /** Removes everything after the first `length` bytes of the journal. @throws the system's error */
  truncate(length: number): void;
  /** Forces everything onto the medium and closes. @throws the system's error: some file systems report a full disk only now */
  close(): void;
}

export type WriteDone = (error: Error | null, written: number) => void;

/** A journal with one writer. @throws the system's error; EEXIST if the file exists: a journal is never overwritten */
export function createJournalFile(path: string): JournalFile {
  const fd = openSync(path, 'wx', 0o644);
  return {
    write: (bytes, from, to, at) => writeSync(fd, bytes, from, to - from, at),
    writeLater: (bytes, from, to, at, done) => write(fd, bytes, from, to - from, at, done),
    truncate: (length) => ftruncateSync(fd, length),
    close: () => syncAndClose(fd),
  };
}

/**
 * A journal shared by several writers. Each write goes to the current end of the file and is not interleaved with others (POSIX
 * O_APPEND), so lines stay whole without a lock, and a kill loses nothing that was written. Offsets reserved from a shared counter
 * would also allow writing on another thread, but would leave holes after a crash.
 * @param how whether this writer creates the file or adds itself to it
 * @throws the system's error; EEXIST if the file that it would create exists
 */
export function openSharedFile(path: string, how: 'create' | 'join'): JournalFile {
  const fd = openSync(path, how === 'create' ? 'ax' : constants.O_WRONLY | constants.O_APPEND, 0o644);
  return {
    write: (bytes, from, to) => writeSync(fd, bytes, from, to - from),
    // Not truncated: the bytes after a torn line may be another writer's.
    truncate: () => undefined,
    close: () => syncAndClose(fd),
  };
}

function syncAndClose(fd: number): void {
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
