import { join } from 'node:path';
import { ConfigurationError, type SpillwayError, shellWord, statIfThere } from '../../base/index.ts';
import type { GatesDocument } from '../../gates/index.ts';
import type { Header } from '../../history/index.ts';
import {
  type CsvFormat,
  type Exported,
  exportAll,
  GATES_FILE,
  type Judged,
  type JudgedRun,
  VERDICTS_FILE,
  type VerdictsDocument,
  writeGates,
  writeOutputs,
  writeVerdicts,
} from '../../report/index.ts';
import { makeFolder, writing } from '../disk.ts';
import { isOfRounds, judgedTogether } from '../rounds/rounds-state.ts';
import { invalidBecause } from '../validity.ts';
import { checkLabels, type GatesWanted, gateFold } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { openPool, type PooledRun, type PoolWanted } from './pool.ts';
import { headerOf } from './read-header.ts';
import { JOURNAL, locateRun, type RunLocation } from './results-folder.ts';

export interface ReportOutcome extends RunLocation, Made {
  /** Runs that were judged together with it. */
  readonly pooled: readonly PooledRun[];
  /** For a round: where its gates are judged, or why they are not; without a full stop. */
  readonly together?: string;
}

/** Everything that is derived from a journal. */
export interface Made {
  readonly exported: Exported;
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
}

/** Inputs of a report other than the journal. */
export interface ReportOptions extends Pick<GatesWanted, 'gates'> {
  /** Folder for the exports; default the run's own. */
  readonly out?: string | undefined;
  /** Runs to judge the gates together with. */
  readonly pool?: PoolWanted;
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
}

/** Rebuilds all exports of a run from its journal, even if the run crashed. @throws ConfigurationError; as `exportRun` */
export async function reportRun(
  run: string,
  { out, gates = [], pool = { runs: [] }, csvFormats = [] }: ReportOptions,
): Promise<ReportOutcome> {
  const location = locateRun(run);
  const folder = out ?? location.folder;
  const header = headerOf(location.journal);
  checkLabels(gates, header);
  requireNoOther(folder, header);
  const pooled = openPool(pool, header);
  await writing(async () => makeFolder(folder));
  const made = await exportRun(folder, location.journal, { gates, pool: pooled, csvFormats });
  const together = judgedTogether(location.folder, made.gates);
  return { folder, journal: location.journal, pooled, ...made, ...(together !== undefined && { together }) };
}

/** A folder with the journal of one run and the results of another would mislead. @throws ConfigurationError */
function requireNoOther(folder: string, { runId }: Header): void {
  const journal = join(folder, JOURNAL);
  const isOther = statIfThere(journal)?.isFile() === true && headerOf(journal).runId !== runId;
  if (!isOther && !isOfRounds(folder)) return;
  const message = `holds ${isOther ? 'another run' : 'rounds'}, whose results would be replaced`;
  throw new ConfigurationError([{ path: folder, message, hint: 'name another folder with --out' }]);
}

interface ExportOptions extends GatesWanted {
  /** The error that ended the run; it is added to the message if the exports fail too. */
  readonly before?: SpillwayError | undefined;
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[] | undefined;
}

/**
 * Judges a journal and writes all exports, the verdicts and the results of the gates into a folder.
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12): the journal is unchanged; CERTIFICATE_INVALID (exit 1): the exports are
 *   written, but no verdicts
 */
export function exportRun(folder: string, journal: string, options: ExportOptions): Promise<Made> {
  const { before, csvFormats = [], ...wanted } = options;
  const first = before === undefined ? '' : ` (before that: ${before.message})`;
  const remedy = `${journal} is kept; spillway report ${shellWord(journal)} --out FOLDER writes the reports${first}`;
  return writing(async () => {
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
    const made = { exported, document, gates };
    await writeOutputs(folder, judgedRun(made));
    return made;
  }, remedy);
}

/** A run as reports show it. */
export const judgedRun = ({ exported: { summary }, document, gates }: Made): JudgedRun => ({
  summary,
  verdicts: document,
  gates,
});

/** The verdicts on a journal, or the defect of the judge that prevented them: measurements are exported in any case. */
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
