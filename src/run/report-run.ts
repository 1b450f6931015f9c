import { join } from 'node:path';
import type { SpillwayError } from '../base/index.ts';
import { type Exported, exportAll, VERDICTS_FILE, type VerdictsDocument, writeVerdicts } from '../report/index.ts';
import { judgeJournal } from './check-run.ts';
import { writing } from './disk.ts';
import { locateRun, type RunLocation } from './results-folder.ts';

export interface ReportOutcome extends RunLocation {
  readonly exported: Exported;
  readonly document: VerdictsDocument;
}

/** Everything that is made from a journal. */
export interface Made {
  readonly exported: Exported;
  readonly document: VerdictsDocument;
}

/** Rebuilds every export of a run from its journal alone; also of a run that a crash ended. @throws ConfigurationError */
export async function reportRun(run: string, out: string | undefined): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const made = await exportRun(folder, location.journal);
  return { folder, journal: location.journal, ...made };
}

/**
 * Writes every export of a journal into a folder, then judges it and writes the verdicts.
 * @param before what ended the run, to be told first
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is untouched; CERTIFICATE_INVALID (exit 1): the exports
 *   are written, and nothing is accused
 */
export function exportRun(folder: string, journal: string, before?: SpillwayError): Promise<Made> {
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  return writing(
    `${journal} is kept; spillway report ${journal} --out FOLDER makes the rest of it${first}`,
    async () => {
      const exported = await exportAll(folder, journal);
      const document = judgeJournal(journal);
      await writeVerdicts(join(folder, VERDICTS_FILE), document);
      return { exported, document };
    },
  );
}
