import { join } from 'node:path';
import type { SpillwayError } from '../base/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import {
  type Exported,
  exportAll,
  GATES_FILE,
  VERDICTS_FILE,
  type VerdictsDocument,
  writeGates,
  writeVerdicts,
} from '../report/index.ts';
import { writing } from './disk.ts';
import { type GatesWanted, gateFold, headerOf, openPool } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { locateRun, makeFolder, type RunLocation } from './results-folder.ts';

export interface ReportOutcome extends RunLocation, Made {}

/** Everything that is made from a journal. */
export interface Made {
  readonly exported: Exported;
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
}

/** What a report is made of beside the journal. */
export interface ReportOptions extends Pick<GatesWanted, 'gates'> {
  /** Folder for the exports; default the run's own. */
  readonly out?: string;
  /** Runs to judge the gates together with. */
  readonly pool?: readonly string[];
}

/** Rebuilds every export of a run from its journal alone; also of a run that a crash ended. @throws ConfigurationError */
export async function reportRun(
  run: string,
  { out, gates = [], pool = [] }: ReportOptions = {},
): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const pooled = openPool(pool, headerOf(location.journal));
  await writing('choose another folder with --out', async () => makeFolder(folder));
  const made = await exportRun(folder, location.journal, { gates, pool: pooled });
  return { folder, journal: location.journal, ...made };
}

/** How a journal is exported. */
export interface ExportOptions extends GatesWanted {
  /** What ended the run, to be told first. */
  readonly before?: SpillwayError;
}

/**
 * Writes every export of a journal into a folder, then judges it and writes the verdicts and what became of the gates.
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is untouched; CERTIFICATE_INVALID (exit 1): the exports
 *   are written, and nothing is accused
 */
export function exportRun(folder: string, journal: string, { before, ...wanted }: ExportOptions = {}): Promise<Made> {
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  return writing(
    `${journal} is kept; spillway report ${journal} --out FOLDER makes the rest of it${first}`,
    async () => {
      const fold = gateFold(wanted);
      const exported = await exportAll(folder, journal, (record) => fold.add(record));
      const document = judgeJournal(journal);
      await writeVerdicts(join(folder, VERDICTS_FILE), document);
      const gates = fold.judge(document);
      await writeGates(join(folder, GATES_FILE), gates);
      return { exported, document, gates };
    },
  );
}
