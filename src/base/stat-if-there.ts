import { statSync } from 'node:fs';

/** What is asked of it. */
interface Standing {
  readonly size: number;
  readonly birthtimeMs: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
  isFile(): boolean;
}

/**
 * What stands at a path; `undefined` where nothing does, or where something on its way is no folder. `statSync` has an option for the
 * former alone: of `README.md/journal.jsonl` it throws before Node 22.
 */
export function statIfThere(path: string): Standing | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
