import { closeSync, openSync } from 'node:fs';

export const OUT_OF_FILES = 'spillway: too many open files; raise the limit, for example with ulimit -n 4096\n';

/** Of the process or of the machine; loading the tool itself takes some hundred. */
export function isOutOfFiles(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EMFILE' || code === 'ENFILE') return true;
  // Node cannot read what a module needs, and says that it is not there.
  return code === 'ERR_MODULE_NOT_FOUND' && !canOpenFiles();
}

/** As many at once as resolving a module may take. */
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
