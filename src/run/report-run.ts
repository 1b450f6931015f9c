import type { SpillwayError } from '../base/index.ts';
import { type Exported, exportAll } from '../report/index.ts';
import { writing } from './disk.ts';
import { locateRun, type RunLocation } from './results-folder.ts';

export interface ReportOutcome extends RunLocation {
  readonly exported: Exported;
}

/** Rebuilds every export of a run from its journal alone; also of a run that a crash ended. @throws ConfigurationError */
export async function reportRun(run: string, out: string | undefined): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const exported = await exportRun(folder, location.journal);
  return { folder, journal: location.journal, exported };
}

/**
 * Writes every export of a journal into a folder.
 * @param before what ended the run, to be told first
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is untouched
 */
export function exportRun(folder: string, journal: string, before?: SpillwayError): Promise<Exported> {
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  return writing(`${journal} is kept; spillway report ${journal} --out FOLDER makes the rest of it${first}`, () =>
    exportAll(folder, journal),
  );
}
