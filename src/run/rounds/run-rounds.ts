import { existsSync, readdirSync } from 'node:fs';
import { ExitCode, realClock, SpillwayError } from '../../base/index.ts';
import { roundsFor } from '../../gates/index.ts';
import type { RoundOf } from '../../history/index.ts';
import { type JudgedRounds, plural, ROUNDS_FILE } from '../../report/index.ts';
import { budgetMemory } from '../../schedule/index.ts';
import type { RunOutcome } from '../conclude-run.ts';
import { interruptsOfRounds } from '../interrupts.ts';
import type { RoundsOptions } from '../run-options.ts';
import { usualMetrics } from '../stored/compare-runs.ts';
import { createResultsFolder, type ResultsFolder, removeResultsFolder } from '../stored/results-folder.ts';
import { requireReachable } from '../target/transport.ts';
import { compareRounds, exitCodeBrokenOff, exitCodeOfRounds, gatesOfRounds } from './judge-rounds.ts';
import { openBook, type RoundsBook } from './rounds-book.ts';
import { type Ended, type RoundOptions, runRound } from './run-round.ts';

export interface RoundsOutcome {
  readonly exitCode: ExitCode;
  readonly folder: string;
  /** In the order in which they ran. */
  readonly runs: readonly RunOutcome[];
  /** The gates of each side over all its rounds together, and the comparison of the sides. */
  readonly judged: JudgedRounds;
  /** An unexpected error that broke off a round, to be thrown after the outcome was reported; absent if there was none. */
  readonly defect?: unknown;
}

/**
 * Runs a scenario round by round. Each round runs both sides, in alternating order, so that the machine affects both in the same
 * way: numbers that differ by a quarter between two CI jobs agree within a fraction of a per cent within one job.
 * @throws SpillwayError as `runScenario` if no round recorded anything; otherwise recorded rounds are kept and reported
 */
export async function runRounds(options: RoundsOptions): Promise<RoundsOutcome> {
  const { loaded, out } = options;
  await requireBothReachable(options);
  const results = createResultsFolder(loaded.scenario.name, new Date(), out);
  const book = openBook(options, results.path);
  const interrupts = interruptsOfRounds((text) => options.terminal.tell(text));
  // The sides may be different services, so each has its own budget.
  const spent = { base: budgetMemory(), candidate: budgetMemory() };
  try {
    return await runAndJudge({ ...options, interrupts, spentBy: spent }, results, book);
  } finally {
    interrupts.release();
  }
}

async function runAndJudge(options: RoundOptions, results: ResultsFolder, book: RoundsBook): Promise<RoundsOutcome> {
  const folder = results.path;
  const ended = await runAll(options, book);
  const runs = book.runs.map(({ outcome }) => outcome);
  if (ended) {
    if (ended.error !== undefined && hasNoRuns(folder)) {
      removeResultsFolder(results);
      throw ended.error;
    }
    return { ...(await breakOff(book, ended)), folder, runs };
  }
  const gates = gatesOfRounds(folder);
  await book.list({ gates });
  const comparison = options.against && (await compareRounds(folder));
  const judged = book.judged({ gates, ...(comparison && { comparison }) });
  await book.conclude(judged);
  return { exitCode: exitCodeOfRounds(runs, judged), folder, runs, judged };
}

/** Reports the finished rounds and why no more ran. */
async function breakOff(book: RoundsBook, { brokenOff, exitCode, error }: Ended) {
  const judged = book.judged({ gates: {}, brokenOff });
  const pages = book.list(judged).then(() => book.conclude(judged));
  // A full disk makes both the round and the reports fail; only the round's error is reported.
  await (error === undefined ? pages : pages.catch(() => undefined));
  return {
    exitCode: exitCodeBrokenOff(
      book.runs.map(({ outcome }) => outcome),
      { exitCode },
    ),
    judged,
    ...(error !== undefined && !(error instanceof SpillwayError) && { defect: error }),
  };
}

/** Whether no round recorded anything. */
const hasNoRuns = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name === ROUNDS_FILE);

/**
 * Why a comparison of so many rounds may show nothing, in a sentence; `undefined` if it can show a difference in every metric, or if
 * there is no candidate. Which metrics will differ at all is not known before the run, so it counts with all of them.
 */
export function tooFewRounds({ rounds, against }: Pick<RoundsOptions, 'rounds' | 'against'>): string | undefined {
  const [fewest, enough] = [roundsFor(1), roundsFor(usualMetrics.length)];
  if (against === undefined || rounds >= enough) return undefined;
  const [can, only] = rounds < fewest ? ['cannot', `${fewest} can in a single metric, `] : ['may be too few to', ''];
  return `${plural(rounds, 'round')} per side ${can} show a difference: ${only}${enough} can in all of the up to ${usualMetrics.length} metrics compared`;
}

/** Both sides are tried before the first round, which may take an hour. @throws SpillwayError if one cannot be reached */
async function requireBothReachable({ loaded, target, against }: RoundsOptions): Promise<void> {
  if (!against) return;
  for (const address of [target, against.target])
    if (address !== undefined) await requireReachable(loaded.profile, address, realClock());
}

/** Runs all rounds. @returns why not all of them ran; `undefined` if all did */
async function runAll(options: RoundOptions, book: RoundsBook): Promise<Ended | undefined> {
  const { rounds, against, terminal, interrupts } = options;
  for (let number = 1; number <= rounds; number++) {
    for (const side of sidesOf(number, against !== undefined)) {
      terminal.tell(`round ${number} of ${rounds}: ${side} (${book.targets[side] ?? ''})`);
      const ended = await runRound(options, { number, of: rounds, side }, book);
      if (ended) return ended;
      if (interrupts.isRequested)
        return { brokenOff: `interrupted after round ${number} of the ${side}`, exitCode: ExitCode.interrupted };
    }
  }
  return undefined;
}

/** The order alternates, so that a machine that becomes slower favours neither side. */
function sidesOf(round: number, both: boolean): readonly RoundOf['side'][] {
  if (!both) return ['base'];
  return round % 2 === 1 ? ['base', 'candidate'] : ['candidate', 'base'];
}
