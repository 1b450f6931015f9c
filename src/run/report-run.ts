import { type Exported, exportAll } from '../report/index.ts';
import { locateRun, type RunLocation } from './results-folder.ts';

export interface ReportOutcome extends RunLocation {
  readonly exported: Exported;
}

/** Rebuilds every export of a run from its journal alone; also of a run that a crash ended. @throws ConfigurationError */
export async function reportRun(run: string, out: string | undefined): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const exported = await exportAll(folder, location.journal);
  return { folder, journal: location.journal, exported };
}
