import { ExitCode } from '../../base/index.ts';
import type { Comparison, GatesDocument } from '../../gates/index.ts';
import { readJournalSync } from '../../history/index.ts';
import type { JudgedRounds, Rounds } from '../../report/index.ts';
import type { RunOutcome } from '../conclude-run.ts';
import { compareOnDisk, usualSlack } from '../stored/compare-runs.ts';
import { gateFold } from '../stored/gate-fold.ts';
import { judgeJournal } from '../stored/judge-journal.ts';
import { findRounds, hasValidRound, sideOf } from './rounds-folder.ts';

/**
 * The gates of each side, judged over all valid rounds together, because one round has too few samples for many gates. Empty if
 * no round is valid.
 */
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
  const fold = gateFold({ pool: others.map((journal) => ({ journal })), allGates: true });
  for (const record of readJournalSync(first)) fold.add(record);
  return fold.judge(judgeJournal(first));
}

/** Compares both sides of the rounds in a folder; `undefined` if the folder has no valid round. */
export async function compareRounds(folder: string): Promise<Comparison | undefined> {
  const found = findRounds(folder);
  if (!found || !hasValidRound(found)) return undefined;
  const options = { base: folder, candidates: [], metrics: [], slack: usualSlack, allow: [] };
  return (await compareOnDisk(options)).comparison;
}

/**
 * The exit code of rounds that were broken off: the one of the last run. A proven violation in any round takes precedence, except
 * over a defect of this tool and an unusable target.
 */
export function exitCodeBrokenOff(runs: readonly Pick<RunOutcome, 'exitCode'>[], last: Pick<RunOutcome, 'exitCode'>) {
  const isUnusable = last.exitCode === ExitCode.toolDefect || last.exitCode === ExitCode.targetUnusable;
  const isProven = runs.some(({ exitCode }) => exitCode === ExitCode.limitViolated);
  return isProven && !isUnusable ? ExitCode.limitViolated : last.exitCode;
}

/**
 * The exit code of finished rounds, in the order of precedence of design.md: a proven violation, an invalid run, then failed
 * gates, unmet expectations and regressions.
 */
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
