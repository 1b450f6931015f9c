import { join } from 'node:path';
import type { SpillwayError } from '../base/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import {
  type CsvFormat,
  type Exported,
  exportAll,
  GATES_FILE,
  type Judged,
  VERDICTS_FILE,
  type VerdictsDocument,
  writeGates,
  writeOutputs,
  writeVerdicts,
} from '../report/index.ts';
import { writing } from './disk.ts';
import { invalidBecause } from './exit-code.ts';
import { checkLabels, type GatesWanted, gateFold, headerOf } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { openPool, type PooledRun, type PoolWanted } from './pool.ts';
import { locateRun, makeFolder, type RunLocation } from './results-folder.ts';
import { judgedTogether } from './rounds-state.ts';

export interface ReportOutcome extends RunLocation, Made {
  /** Runs that were judged with it. */
  readonly pooled: readonly PooledRun[];
  /** Of a round: where its gates are judged, or why they are not; without a full stop. */
  readonly together?: string;
}

/** Everything that is made from a journal. */
export interface Made {
  readonly exported: Exported;
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
  /** Why the run's numbers are not to be used; absent when they are. */
  readonly invalid?: string;
}

/** What a report is made of beside the journal. */
export interface ReportOptions extends Pick<GatesWanted, 'gates'> {
  /** Folder for the exports; default the run's own. */
  readonly out?: string;
  /** Runs to judge the gates together with. */
  readonly pool?: PoolWanted;
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
}

/** Rebuilds every export of a run from its journal alone; also of a run that a crash ended. @throws ConfigurationError */
export async function reportRun(
  run: string,
  { out, gates = [], pool = { runs: [] }, csvFormats = [] }: ReportOptions = {},
): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const header = headerOf(location.journal);
  checkLabels(gates, header);
  const pooled = openPool(pool, header);
  await writing('choose another folder with --out', async () => makeFolder(folder));
  const made = await exportRun(folder, location.journal, { gates, pool: pooled, csvFormats });
  const together = judgedTogether(location.folder, made.gates);
  return { folder, journal: location.journal, pooled, ...made, ...(together !== undefined && { together }) };
}

/** How a journal is exported. */
export interface ExportOptions extends GatesWanted {
  /** What ended the run, to be told first. */
  readonly before?: SpillwayError;
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
}

/**
 * Judges a journal, and writes every export of it, the verdicts, and what became of the gates into a folder.
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is untouched; CERTIFICATE_INVALID (exit 1): the exports
 *   are written, and nothing is accused
 */
export function exportRun(folder: string, journal: string, options: ExportOptions = {}): Promise<Made> {
  const { before, csvFormats = [], ...wanted } = options;
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  return writing(
    `${journal} is kept; spillway report ${journal} --out FOLDER makes the rest of it${first}`,
    async () => {
      const fold = gateFold(wanted);
      let gates: GatesDocument | undefined;
      const judgement = judged(journal, (document) => {
        gates ??= fold.judge(document);
        return gates;
      });
      const exported = await exportAll(folder, journal, {
        judged: judgement.judged,
        onRecord: (record) => fold.add(record),
        csvFormats,
      });
      if (judgement.judged === undefined) throw judgement.defect;
      const { document } = judgement.judged;
      await writeVerdicts(join(folder, VERDICTS_FILE), document);
      gates ??= fold.judge(document);
      await writeGates(join(folder, GATES_FILE), gates);
      const { summary } = exported;
      const invalid = invalidBecause(summary);
      await writeOutputs(folder, {
        summary,
        verdicts: document,
        gates,
        ...(invalid !== undefined && { invalid }),
      });
      return { exported, document, gates, ...(invalid !== undefined && { invalid }) };
    },
  );
}

/** What is judged of a journal, or the defect for which nothing is: the measurements are exported all the same. */
function judged(
  journal: string,
  gatesOf: (document: VerdictsDocument) => GatesDocument,
): { readonly judged: Judged } | { readonly judged?: undefined; readonly defect: unknown } {
  try {
    const document = judgeJournal(journal);
    return { judged: { document, gates: () => gatesOf(document).gates, invalidBecause } };
  } catch (defect) {
    return { defect };
  }
}
