import { join } from 'node:path';
import type { SpillwayError } from '../base/index.ts';
import {
  type Exported,
  exportAll,
  type Judged,
  VERDICTS_FILE,
  type VerdictsDocument,
  writeVerdicts,
} from '../report/index.ts';
import { judgeJournal } from './check-run.ts';
import { writing } from './disk.ts';
import { invalidBecause } from './exit-code.ts';
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
 * Judges a journal, and writes every export of it and the verdicts into a folder.
 * @param before what ended the run, to be told first
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is untouched; CERTIFICATE_INVALID (exit 1): the exports
 *   are written, and nothing is accused
 */
export function exportRun(folder: string, journal: string, before?: SpillwayError): Promise<Made> {
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  return writing(
    `${journal} is kept; spillway report ${journal} --out FOLDER makes the rest of it${first}`,
    async () => {
      const judgement = judged(journal);
      const exported = await exportAll(folder, journal, judgement.judged);
      if (judgement.judged === undefined) throw judgement.defect;
      const { document } = judgement.judged;
      await writeVerdicts(join(folder, VERDICTS_FILE), document);
      return { exported, document };
    },
  );
}

/** What is judged of a journal, or the defect for which nothing is: the measurements are exported all the same. */
function judged(
  journal: string,
): { readonly judged: Judged } | { readonly judged?: undefined; readonly defect: unknown } {
  try {
    return { judged: { document: judgeJournal(journal), invalidBecause } };
  } catch (defect) {
    return { defect };
  }
}
