import { join } from 'node:path';
import { type ExitCode, type SpillwayError, statIfThere } from '../base/index.ts';
import { plannedEnds } from '../collect/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import type { CsvFormat, Exported, VerdictsDocument } from '../report/index.ts';
import type { Dashboard } from './dashboard/start.ts';
import { notWritable } from './disk.ts';
import { exitCodeOf, failedBecause } from './exit-code.ts';
import type { StopReason } from './interrupts.ts';
import type { PooledRun } from './stored/pool.ts';
import { exportRun, type Made } from './stored/report-run.ts';
import { JOURNAL } from './stored/results-folder.ts';
import { invalidBecause } from './validity.ts';

export interface RunOutcome {
  readonly exitCode: ExitCode;
  readonly folder: string;
  readonly exported: Exported;
  /** The verdicts, and which of them count. */
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
  /** Why it was stopped before its plan ended; absent if it was not. */
  readonly stopped?: StopReason;
  /** What ended the run early, for the user. */
  readonly error?: SpillwayError;
  /** Why the numbers of a run that ended by itself must not be used; absent if they may. */
  readonly invalid?: string;
  /** Why a run that ended by itself with usable numbers failed; absent if it did not. */
  readonly failed?: string;
}

/** What is left to do with a run that has ended. */
export interface Sent {
  readonly dashboard: Dashboard | undefined;
  /** Why it was stopped before its plan ended. */
  readonly stopped: StopReason | undefined;
  /** The error that ended it, if the disk, the target, the embedded sandbox or the budget did. */
  readonly failure: SpillwayError | undefined;
}

/** What a run's options say of its reports. */
export interface ConclusionOptions {
  /** Earlier runs whose samples count for the gates too. */
  readonly pool?: readonly PooledRun[];
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
}

/** Makes everything from the journal that a run leaves, and its exit code. */
export async function concludeRun(
  folder: string,
  { pool, csvFormats }: ConclusionOptions,
  { dashboard, failure, stopped }: Sent,
): Promise<RunOutcome> {
  const { exported, document, gates } = await exportThen(dashboard, () =>
    exportRun(folder, journalLeftIn(folder), { before: failure, pool, csvFormats }),
  );
  const { summary } = exported;
  const endedAsPlanned = stopped === undefined || plannedEnds.has(stopped);
  const invalid = endedAsPlanned ? invalidBecause(summary) : undefined;
  const failed = endedAsPlanned && invalid === undefined ? failedBecause(summary) : undefined;
  return {
    exitCode: exitCodeOf({ summary, stopped, proven: document.proven, gates }),
    folder,
    exported,
    document,
    gates,
    ...(stopped !== undefined && { stopped }),
    ...(failure !== undefined && { error: failure }),
    ...(invalid !== undefined && { invalid }),
    ...(failed !== undefined && { failed }),
  };
}

/** A file that is removed while it is written can be written to the end, so nobody has noticed yet. */
function journalLeftIn(folder: string): string {
  const journal = join(folder, JOURNAL);
  if (statIfThere(journal) !== undefined) return journal;
  throw notWritable(
    `${journal} was removed or moved during the run, so there is nothing to report: run again, and leave the folder alone meanwhile (a moved journal can be read: spillway report FILE)`,
    undefined,
  );
}

/** The live page ends with the verdicts, even if there are none. */
async function exportThen(dashboard: Dashboard | undefined, make: () => Promise<Made>): Promise<Made> {
  try {
    const made = await make();
    await dashboard?.end({ document: made.document, gates: made.gates.gates });
    return made;
  } catch (error) {
    await dashboard?.end();
    throw error;
  }
}
