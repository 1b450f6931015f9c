import { mkdirSync } from 'node:fs';
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
import { compareRounds, exitCodeOfRounds, gatesOfRounds } from './judge-rounds.ts';
import { createResultsFolder } from './results-folder.ts';
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
  const { loaded, rounds, against, out } = options;
  await requireBothReachable(options);
  const { path: folder } = createResultsFolder(loaded.scenario.name, new Date(), out);
  const about = {
    scenario: loaded.scenario.name,
    targets: { base: options.target ?? 'sandbox', ...(against && { candidate: against.target ?? 'sandbox' }) },
  };
  const list = (runs: readonly RunOfRound[], gates?: Rounds['gates']) =>
    onDisk(() =>
      writeRounds(join(folder, ROUNDS_FILE), {
        ...about,
        runs: runs.map(({ listed }) => listed),
        ...(gates && { gates }),
      }),
    );
  const runs = await runAll(options, { folder, targets: about.targets, list });
  const ended = runs.at(-1)?.outcome;
  const brokenOff =
    ended && endsAll(ended.exitCode) ? (ended.error?.message ?? ENDED[ended.exitCode] ?? 'a defect') : undefined;
  const outcomes = runs.map(({ outcome }) => outcome);
  const gates = brokenOff === undefined ? gatesOfRounds(folder) : {};
  if (brokenOff === undefined) await list(runs, gates);
  const comparison = against && brokenOff === undefined ? await compareRounds(folder) : undefined;
  const judged: JudgedRounds = {
    ...about,
    rounds,
    runs: runs.map(({ listed, outcome }) => ({ ...listed, run: judgedRun(outcome) })),
    gates,
    ...(comparison && { comparison }),
    ...(brokenOff !== undefined && { brokenOff }),
  };
  await onDisk(() => writeRoundsOutputs(folder, judged));
  const exitCode = ended && brokenOff !== undefined ? ended.exitCode : exitCodeOfRounds(outcomes, judged);
  return { exitCode, folder, runs: outcomes, judged };
}

interface Course {
  readonly folder: string;
  readonly targets: Rounds['targets'];
  /** Writes down which runs are over. */
  readonly list: (runs: readonly RunOfRound[]) => Promise<void>;
}

/** Round by round, to the end or to what ends all of them. */
async function runAll(options: RoundsOptions, { folder, targets, list }: Course): Promise<readonly RunOfRound[]> {
  const { rounds, against, terminal } = options;
  const runs: RunOfRound[] = [];
  for (let number = 1; number <= rounds; number++) {
    for (const side of sidesOf(number, against !== undefined)) {
      terminal.tell(`round ${number} of ${rounds}: ${side} (${targets[side] ?? ''})`);
      const run = await runSide(options, { number, of: rounds, side }, folder);
      runs.push(run);
      await list(runs);
      if (endsAll(run.outcome.exitCode)) return runs;
    }
  }
  return runs;
}

/** What ends all rounds without an error to tell of it. */
const ENDED: Partial<Record<ExitCode, string>> = {
  [ExitCode.interrupted]: 'interrupted',
  [ExitCode.abortedByGate]: 'a gate ended the run',
};

const judgedRun = ({ exported, document, gates, invalid }: RunOutcome): JudgedRun => ({
  summary: exported.summary,
  verdicts: document,
  gates,
  ...(invalid !== undefined && { invalid }),
});

const onDisk = (write: () => Promise<void>): Promise<void> => writing('choose another folder with --out', write);

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
  mkdirSync(out, { recursive: true });
  const target = side === 'base' ? own : against?.target;
  const outcome = await runScenario({ ...options, out, round, ...(target === undefined ? {} : { target }) });
  const { runId } = outcome.exported.summary.run;
  return { listed: { round: number, side, folder: below, runId, exitCode: outcome.exitCode }, outcome };
}

/** Something that the next round would meet again, or a person's wish. */
const endsAll = (code: ExitCode): boolean =>
  ([ExitCode.toolDefect, ExitCode.targetUnusable, ExitCode.interrupted, ExitCode.abortedByGate] as number[]).includes(
    code,
  );
