import { join } from 'node:path';
import { ExitCode, realClock } from '../base/index.ts';
import type { RoundOf } from '../history/index.ts';
import {
  type JudgedRounds,
  type JudgedRun,
  ROUNDS_FILE,
  type RoundRun,
  type Rounds,
  writeRounds,
  writeRoundsOutputs,
} from '../report/index.ts';
import type { RunOutcome } from './conclude-run.ts';
import { writing } from './disk.ts';
import { invalidBecause } from './exit-code.ts';
import { compareRounds, exitCodeBrokenOff, exitCodeOfRounds, gatesOfRounds } from './judge-rounds.ts';
import { createResultsFolder, makeFolder } from './results-folder.ts';
import { type RunOptions, runScenario } from './run-scenario.ts';
import { remoteAddress } from './target.ts';
import { requireReachable } from './transport.ts';

export interface RoundsOptions extends Omit<RunOptions, 'out' | 'pool'> {
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
}

type Side = RoundRun['side'];

/** One run, and its line in the list of rounds. */
interface RunOfRound {
  readonly listed: RoundRun;
  readonly outcome: RunOutcome;
}

/**
 * Runs a scenario round by round, both sides in each round and taking turns at being first: what a machine does to one it
 * does to the other (numbers of one job agree to a fraction of a per cent that differ by a quarter between jobs).
 * @throws SpillwayError as `runScenario`; rounds that are over are kept, with their list
 */
export async function runRounds(options: RoundsOptions): Promise<RoundsOutcome> {
  const { loaded, against, out } = options;
  await requireBothReachable(options);
  const { path: folder } = createResultsFolder(loaded.scenario.name, new Date(), out);
  const book = bookOf(options, folder);
  await runAll(options, folder, book);
  const runs = book.runs.map(({ outcome }) => outcome);
  const last = book.runs.at(-1);
  if (last && endsAll(last.outcome)) {
    const judged = await book.conclude({ gates: {}, brokenOff: whyEnded(last) });
    return { exitCode: exitCodeBrokenOff(runs, last.outcome), folder, runs, judged };
  }
  const gates = gatesOfRounds(folder);
  await book.list(gates);
  const comparison = against && (await compareRounds(folder));
  const judged = await book.conclude({ gates, ...(comparison && { comparison }) });
  return { exitCode: exitCodeOfRounds(runs, judged), folder, runs, judged };
}

/** The runs that are over, and the files of the folder that tell of all of them. */
function bookOf({ loaded, target, against, rounds }: RoundsOptions, folder: string) {
  const runs: RunOfRound[] = [];
  const about = {
    scenario: loaded.scenario.name,
    targets: { base: target ?? 'sandbox', ...(against && { candidate: against.target ?? 'sandbox' }) },
  };
  const onDisk = (write: () => Promise<void>) => writing('choose another folder with --out', write);
  return {
    runs,
    targets: about.targets as Rounds['targets'],
    /** Writes down which runs are over. */
    list: (gates?: Rounds['gates']) =>
      onDisk(() =>
        writeRounds(join(folder, ROUNDS_FILE), {
          ...about,
          runs: runs.map(({ listed }) => listed),
          ...(gates && { gates }),
        }),
      ),
    /** Writes what came of all. */
    async conclude(verdict: Pick<JudgedRounds, 'gates' | 'comparison' | 'brokenOff'>): Promise<JudgedRounds> {
      const judgedRuns = runs.map(({ listed, outcome }) => ({ ...listed, run: judgedRun(outcome) }));
      const judged: JudgedRounds = { ...about, rounds, runs: judgedRuns, ...verdict };
      await onDisk(() => writeRoundsOutputs(folder, judged));
      return judged;
    },
  };
}

type Book = ReturnType<typeof bookOf>;

/** Round by round, to the end or to what ends all of them. */
async function runAll(options: RoundsOptions, folder: string, book: Book): Promise<void> {
  const { rounds, against, terminal } = options;
  for (let number = 1; number <= rounds; number++) {
    for (const side of sidesOf(number, against !== undefined)) {
      terminal.tell(`round ${number} of ${rounds}: ${side} (${book.targets[side] ?? ''})`);
      const round = { number, of: rounds, side };
      const run = await runSide(options, round, folder).catch((error) => breakOff(book, round, error));
      book.runs.push(run);
      await book.list();
      if (endsAll(run.outcome)) return;
    }
  }
}

/** The pages of the rounds that are over tell why there are no more. @throws what broke them off, whatever becomes of the pages */
async function breakOff(book: Book, { number, side }: RoundOf, error: unknown): Promise<never> {
  const brokenOff = `round ${number} of the ${side} has no results: ${(error as Error).message}`;
  if (book.runs.length > 0) await book.conclude({ gates: {}, brokenOff }).catch(() => undefined);
  throw error;
}

/** `round 2 of the base ended all: interrupted`. */
function whyEnded({ listed: { round, side }, outcome }: RunOfRound): string {
  const gate = outcome.gates.gates.find(({ stoppedRun }) => stoppedRun);
  const why = outcome.error?.message ?? (gate ? `${gate.metric}: ${gate.expression}: ${gate.because}` : 'interrupted');
  return `round ${round} of the ${side} ended all: ${why}`;
}

/** As its own files tell of it. */
function judgedRun({ exported: { summary }, document, gates }: RunOutcome): JudgedRun {
  const invalid = invalidBecause(summary);
  return { summary, verdicts: document, gates, ...(invalid !== undefined && { invalid }) };
}

/** A side that cannot be reached is found before the other one's first round, which may take an hour, is spent. */
async function requireBothReachable({ loaded, target, against }: RoundsOptions): Promise<void> {
  if (!against) return;
  for (const side of [target, against.target]) {
    const address = remoteAddress(loaded, side);
    if (address !== undefined) await requireReachable(loaded.profile, address, realClock());
  }
}

/** Which of a round comes first alternates, so that a machine that gets slower favours neither. */
function sidesOf(round: number, both: boolean): readonly Side[] {
  if (!both) return ['base'];
  return round % 2 === 1 ? ['base', 'candidate'] : ['candidate', 'base'];
}

async function runSide(
  { rounds: _, against, out: __, target: own, ...options }: RoundsOptions,
  round: RoundOf,
  folder: string,
): Promise<RunOfRound> {
  const { number, side } = round;
  const below = `round-${String(number).padStart(3, '0')}/${side}`;
  const out = join(folder, ...below.split('/'));
  await writing('choose another folder with --out', async () => makeFolder(out));
  const target = side === 'base' ? own : against?.target;
  const outcome = await runScenario({ ...options, out, round, ...(target === undefined ? {} : { target }) });
  const { summary } = outcome.exported;
  const { runId } = summary.run;
  const listed = { round: number, side, folder: below, runId, exitCode: outcome.exitCode };
  // Of a run that was broken off too: nobody may take its numbers for those of a whole one.
  return { listed: { ...listed, ...(invalidBecause(summary) !== undefined && { invalid: true }) }, outcome };
}

/** Something that the next round would meet again, or a wish: a person's or a gate's, whatever else is proven of the round. */
function endsAll({ exitCode, stopped }: RunOutcome): boolean {
  if (stopped !== undefined && stopped !== 'deadline') return true;
  return exitCode === ExitCode.toolDefect || exitCode === ExitCode.targetUnusable;
}
