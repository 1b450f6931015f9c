import { ExitCode } from '../base/index.ts';
import type { Comparison, GatesDocument } from '../gates/index.ts';
import { readJournalSync } from '../history/index.ts';
import type { JudgedRounds, Rounds } from '../report/index.ts';
import { compareOnDisk, usualSlack } from './compare-runs.ts';
import type { RunOutcome } from './conclude-run.ts';
import { gateFold, headerOf } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { findRounds, hasValidRound, sideOf } from './rounds-folder.ts';

/** Gates of each side over all its valid rounds: one round has too few samples for many of them. None where none is valid. */
export function gatesOfRounds(folder: string): NonNullable<Rounds['gates']> {
  const found = findRounds(folder);
  if (!found || !hasValidRound(found)) return {};
  const judge = (side: 'base' | 'candidate') => gatesOver(sideOf(found, side).journals);
  return {
    base: judge('base'),
    ...(found.rounds.targets.candidate !== undefined && { candidate: judge('candidate') }),
  };
}

function gatesOver([first = '', ...others]: readonly string[]): GatesDocument {
  const pool = others.map((journal) => ({ journal, header: headerOf(journal) }));
  const fold = gateFold({ pool, decides: true });
  for (const record of readJournalSync(first)) fold.add(record);
  return fold.judge(judgeJournal(first));
}

/** What differs between runs of one command is the target, and what a machine tells of itself. */
export async function compareRounds(folder: string): Promise<Comparison | undefined> {
  const found = findRounds(folder);
  if (!found || !hasValidRound(found)) return undefined;
  const options = { base: folder, candidates: [], metrics: [], slack: usualSlack, allow: [] };
  return (await compareOnDisk(options)).comparison;
}

/** What ended all rounds, unless something is proven: that stands, in whichever round it was; what cannot be gone on with comes first. */
export function exitCodeBrokenOff(runs: readonly Pick<RunOutcome, 'exitCode'>[], last: Pick<RunOutcome, 'exitCode'>) {
  const isUnusable = last.exitCode === ExitCode.toolDefect || last.exitCode === ExitCode.targetUnusable;
  const isProven = runs.some(({ exitCode }) => exitCode === ExitCode.limitViolated);
  return isProven && !isUnusable ? ExitCode.limitViolated : last.exitCode;
}

/** In the order of design: what is proven, what is invalid, then gates, expectations and what became worse. */
export function exitCodeOfRounds(
  runs: readonly Pick<RunOutcome, 'exitCode' | 'failed'>[],
  { gates, comparison }: Pick<JudgedRounds, 'gates' | 'comparison'>,
): ExitCode {
  const codes = runs.map(({ exitCode }) => exitCode);
  const first = ([ExitCode.limitViolated, ExitCode.invalidRun] as const).find((code) => codes.includes(code));
  if (first !== undefined) return first;
  const unmet = runs.some(({ failed }) => failed !== undefined);
  const failed = unmet || Object.values(gates).some(({ passed }) => !passed) || comparison?.regressed === true;
  return failed ? ExitCode.gateFailed : ExitCode.ok;
}
