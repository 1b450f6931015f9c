import { dirname, join } from 'node:path';
import { ExitCode, SpillwayError } from '../../base/index.ts';
import { gateShown } from '../../gates/index.ts';
import type { RoundOf } from '../../history/index.ts';
import type { RunOutcome } from '../conclude-run.ts';
import { makeFolder, writing } from '../disk.ts';
import type { RoundsOptions, RunOptions } from '../run-options.ts';
import { runScenario } from '../run-scenario.ts';
import { removeEmptyFolders } from '../stored/results-folder.ts';
import { invalidBecause } from '../validity.ts';
import type { RoundsBook, RunOfRound } from './rounds-book.ts';

/** Options that all rounds share. */
export interface RoundOptions extends RoundsOptions, Required<Pick<RunOptions, 'interrupts'>> {
  /** Counters of the profile's budget, for each side. */
  readonly spentBy: Readonly<Record<RoundOf['side'], SharedArrayBuffer>>;
}

/** Why no more rounds run. */
export interface Ended {
  readonly brokenOff: string;
  readonly exitCode: ExitCode;
  /** The error of a round without results; absent if the last round has results. */
  readonly error?: unknown;
}

/** Runs one side of a round and adds it to the list. @returns why no more rounds may run; `undefined` if they may */
export async function runRound(options: RoundOptions, round: RoundOf, book: RoundsBook): Promise<Ended | undefined> {
  let isOver = false;
  try {
    const run = await runSide(options, round, book);
    isOver = true;
    await book.add(run);
    return endsAllRounds(run.outcome) ? { brokenOff: whyEnded(run), exitCode: run.outcome.exitCode } : undefined;
  } catch (error) {
    const what = isOver ? 'has ended, but cannot be listed' : 'has no results';
    return { brokenOff: `${nameOf(round)} ${what}: ${messageOf(error)}`, exitCode: codeOf(error), error };
  }
}

const nameOf = ({ number, side }: Pick<RoundOf, 'number' | 'side'>): string => `round ${number} of the ${side}`;
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const codeOf = (error: unknown): ExitCode => (error instanceof SpillwayError ? error.exitCode : ExitCode.toolDefect);

/** `round 2 of the base ended all rounds: interrupted`. */
function whyEnded({ listed: { round, side }, outcome }: RunOfRound): string {
  const gate = outcome.gates.gates.find(({ stoppedRun }) => stoppedRun);
  const why = outcome.error?.message ?? (gate ? `${gateShown(gate)}: ${gate.because}` : 'interrupted');
  return `${nameOf({ number: round, side })} ended all rounds: ${why}`;
}

async function runSide(
  { rounds: _, against, out: __, target: own, spentBy, ...options }: RoundOptions,
  round: RoundOf,
  book: RoundsBook,
): Promise<RunOfRound> {
  const { number, side } = round;
  const below = `round-${String(number).padStart(3, '0')}/${side}`;
  const out = join(book.folder, ...below.split('/'));
  const target = side === 'base' ? own : against?.target;
  const one = { ...options, out, round, spent: spentBy[side], target };
  let outcome: RunOutcome;
  try {
    await book.begin({ round: number, side, folder: below });
    await writing(async () => makeFolder(out));
    outcome = await runScenario(one);
  } catch (error) {
    removeEmptyFolders(out, dirname(out));
    throw error;
  }
  const { summary } = outcome.exported;
  const { runId } = summary.run;
  const listed = { round: number, side, folder: below, runId, exitCode: outcome.exitCode };
  // A run that was stopped early is marked too, so that its numbers are not used like those of a complete one.
  return { listed: { ...listed, ...(invalidBecause(summary) !== undefined && { invalid: true }) }, outcome };
}

/** Whether no further round runs: the run was stopped (except by its deadline), or the next one would fail in the same way. */
function endsAllRounds({ exitCode, stopped }: RunOutcome): boolean {
  if (stopped !== undefined && stopped !== 'deadline') return true;
  return exitCode === ExitCode.toolDefect || exitCode === ExitCode.targetUnusable;
}
