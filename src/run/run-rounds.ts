import { existsSync, readdirSync } from 'node:fs';
import { ExitCode, realClock, SpillwayError } from '../base/index.ts';
import { fewestRounds } from '../gates/index.ts';
import type { RoundOf } from '../history/index.ts';
import { type JudgedRounds, ROUNDS_FILE } from '../report/index.ts';
import { budgetMemory } from '../schedule/index.ts';
import type { RunOutcome } from './conclude-run.ts';
import { interruptsOfRounds } from './interrupts.ts';
import { compareRounds, exitCodeBrokenOff, exitCodeOfRounds, gatesOfRounds } from './judge-rounds.ts';
import { createResultsFolder, type ResultsFolder, removeResultsFolder } from './results-folder.ts';
import { openBook, type RoundsBook } from './rounds-book.ts';
import { type Ended, type RoundOptions, runRound } from './run-round.ts';
import type { RunOptions } from './run-scenario.ts';
import { remoteAddress } from './target.ts';
import { requireReachable } from './transport.ts';

export interface RoundsOptions extends Omit<RunOptions, 'out' | 'pool' | 'interrupts' | 'spent'> {
  /** Rounds, ≥ 1. */
  readonly rounds: number;
  /** The other side of each round; absent: there is none. */
  readonly against?: Against;
  /** Folder for all rounds, new or empty; absent: one below results/. */
  readonly out?: string;
}

/** What is run beside the base. */
export interface Against {
  /** Base address; absent: the embedded sandbox. */
  readonly target?: string;
}

export interface RoundsOutcome {
  readonly exitCode: ExitCode;
  readonly folder: string;
  /** In the order in which they ran. */
  readonly runs: readonly RunOutcome[];
  /** The gates of each side over all its rounds together, and how the sides compare. */
  readonly judged: JudgedRounds;
  /** What nobody foresaw and broke a round off, to be thrown once the rest is told; absent otherwise. */
  readonly defect?: unknown;
}

/**
 * Runs a scenario round by round, both sides in each round and taking turns at being first: what a machine does to one it
 * does to the other (numbers of one job agree to a fraction of a per cent that differ by a quarter between jobs).
 * @throws SpillwayError as `runScenario` where nothing of any round is there; what is there is kept, with a list, and told
 */
export async function runRounds(options: RoundsOptions): Promise<RoundsOutcome> {
  const { loaded, out } = options;
  await requireBothReachable(options);
  const results = createResultsFolder(loaded.scenario.name, new Date(), out);
  const book = openBook(options, results.path);
  const interrupts = interruptsOfRounds((text) => options.terminal.tell(text));
  // Each side may be a service of its own, and is asked about its price by itself.
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
    if (ended.error !== undefined && isBare(folder)) {
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

/** Tells what there is, and why there is no more: also where a round has nothing that could be told. */
async function breakOff(book: RoundsBook, { brokenOff, exitCode, error }: Ended) {
  const judged = book.judged({ gates: {}, brokenOff });
  const pages = book.list(judged).then(() => book.conclude(judged));
  // A disk that is full breaks off rounds and pages both, and is told once.
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

/** Nothing was recorded of any round. */
const isBare = (folder: string): boolean =>
  !existsSync(folder) || readdirSync(folder).every((name) => name === ROUNDS_FILE);

/** @returns how many rounds of each side it takes to show any difference; `undefined` where these are as many, or have no other side */
export const roundsLacking = ({ rounds, against }: Pick<RoundsOptions, 'rounds' | 'against'>): number | undefined =>
  against !== undefined && rounds < fewestRounds ? fewestRounds : undefined;

/** A side that cannot be reached is found before the other one's first round, which may take an hour, is spent. */
async function requireBothReachable({ loaded, target, against }: RoundsOptions): Promise<void> {
  if (!against) return;
  for (const side of [target, against.target]) {
    const address = remoteAddress(loaded, side);
    if (address !== undefined) await requireReachable(loaded.profile, address, realClock());
  }
}

/** Round by round, to the end or to what ends all of them. */
async function runAll(options: RoundOptions, book: RoundsBook): Promise<Ended | undefined> {
  const { rounds, against, terminal, interrupts } = options;
  for (let number = 1; number <= rounds; number++) {
    for (const side of sidesOf(number, against !== undefined)) {
      terminal.tell(`round ${number} of ${rounds}: ${side} (${book.targets[side] ?? ''})`);
      const ended = await runRound(options, { number, of: rounds, side }, book);
      if (ended) return ended;
      if (interrupts.isAsked)
        return { brokenOff: `interrupted after round ${number} of the ${side}`, exitCode: ExitCode.interrupted };
    }
  }
  return undefined;
}

/** Which of a round comes first alternates, so that a machine that gets slower favours neither. */
function sidesOf(round: number, both: boolean): readonly RoundOf['side'][] {
  if (!both) return ['base'];
  return round % 2 === 1 ? ['base', 'candidate'] : ['candidate', 'base'];
}
