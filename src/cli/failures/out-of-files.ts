import { closeSync, openSync } from 'node:fs';

export const OUT_OF_FILES = 'spillway: too many open files; raise the limit, for example with ulimit -n 4096\n';

/** Whether an error means that the process or the machine has too many open files. */
export function isOutOfFiles(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  // If Node cannot open the files of a module, it reports that the module does not exist: the first code where it is imported, the other
  // where it is required.
  return (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') && !canOpenFiles();
}

/** Number of files that resolving a module may open at once. */
const SPARE_FILES = 8;

function canOpenFiles(): boolean {
  const opened: number[] = [];
  try {
    for (let n = 0; n < SPARE_FILES; n++) opened.push(openSync(process.execPath, 'r'));
    return true;
  } catch (error) {
    return !isOutOfFiles(error);
  } finally {
    for (const file of opened) closeSync(file);
  }
}
