import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { ExitCode, SpillwayError, whyNotWritten } from '../base/index.ts';

/**
 * Writes files of a run. Errors of the system (a full disk, a folder without permission) are for the user to fix, not defects of
 * the tool.
 * @param remedy what the user can do, and what is kept
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12) for an error of the system; other errors unchanged
 */
export async function writing<T>(write: () => Promise<T>, remedy = 'choose another folder with --out'): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw notWritable(`the results cannot be written: ${whyNotWritten(error)}; ${remedy}`, error);
  }
}

/** The error for files that cannot be written (exit 12). @param cause the system's error */
export const notWritable = (message: string, cause: unknown): SpillwayError =>
  new SpillwayError('RESULTS_NOT_WRITABLE', message, ExitCode.targetUnusable, { cause });

/**
 * Makes a folder and its parents. `mkdirSync` with `recursive` is not used: it loops for ever if a folder cannot be made although
 * its parent exists (/proc), and on a read-only disk it reports another reason.
 * @returns false if the folder existed
 */
export function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(folder);
    if (code === 'ENOENT' && above !== folder && !existsSync(above)) {
      makeFolder(above);
      mkdirSync(folder);
      return true;
    }
    if (existsSync(folder) && statSync(folder).isDirectory()) return false;
    throw error;
  }
}
