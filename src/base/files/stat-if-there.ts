import { statSync } from 'node:fs';

/** The parts of `Stats` that callers use. */
interface FileStatus {
  readonly size: number;
  readonly birthtimeMs: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/** Nothing there; a parent that is no folder; symbolic links in a circle; a name longer than the file system has. */
const NOWHERE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']);

/**
 * Status of a file or folder; `undefined` if the path leads to none. The option `throwIfNoEntry: false` of `statSync` does not cover
 * all of this: before Node 22 it throws for `README.md/journal.jsonl`.
 */
export function statIfThere(path: string): FileStatus | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (NOWHERE.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
