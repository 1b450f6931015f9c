import { ExitCode, SpillwayError } from '../base/index.ts';

/**
 * Writes files of a run. What the system refuses (a full disk, a folder that is not ours) is the user's to mend, not a defect
 * of the tool.
 * @param remedy what to do, and what is kept
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12) for an error of the system; any other error as it is
 */
export async function writing<T>(remedy: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new SpillwayError(
      'RESULTS_NOT_WRITABLE',
      `the results cannot be written: ${message}; ${remedy}`,
      ExitCode.targetUnusable,
      { cause: error },
    );
  }
}
