import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** What the writer needs of a file; a parameter, so that full disks and short writes can be tried at every byte. */
export interface JournalFile {
  /** Writes some or all of the bytes. @returns how many, ≥ 1 @throws the system's error */
  write(bytes: Uint8Array, offset: number): number;
  /** Forgets everything after `length` bytes, counted from where the journal begins. @throws the system's error */
  truncate(length: number): void;
  /** Forces everything onto the medium and closes. @throws the system's error: some file systems report a full disk only now */
  close(): void;
}

/** @throws the system's error, EEXIST when the file is there: a journal is never overwritten. */
export function createJournalFile(path: string): JournalFile {
  return journalFileOn(openSync(path, 'wx', 0o644));
}

/** A file that is already open for writing, at its end. */
export function journalFileOn(fd: number): JournalFile {
  const begin = fstatSync(fd);
  return {
    write: (bytes, offset) => writeSync(fd, bytes, offset, bytes.length - offset),
    truncate: (length) => {
      if (begin.isFile()) ftruncateSync(fd, begin.size + length);
    },
    close: () => {
      try {
        if (begin.isFile()) fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
    },
  };
}
