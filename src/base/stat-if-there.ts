import { statSync } from 'node:fs';

/** The parts of `Stats` that callers use. */
interface FileStatus {
  readonly size: number;
  readonly birthtimeMs: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/**
 * Status of a file or folder; `undefined` if the path does not exist or if one of its parents is not a folder. The option
 * `throwIfNoEntry: false` of `statSync` covers only the former: before Node 22 it throws for `README.md/journal.jsonl`.
 */
export function statIfThere(path: string): FileStatus | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
