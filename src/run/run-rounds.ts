import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ExitCode, realClock } from '../base/index.ts';
import type { Comparison, GatesDocument } from '../gates/index.ts';
import { readJournalSync } from '../history/index.ts';
import { ROUNDS_FILE, type RoundRun, type Rounds, writeRounds } from '../report/index.ts';
import { compareOnDisk, usualSlack } from './compare-runs.ts';
import type { RunOutcome } from './conclude-run.ts';
import { writing } from './disk.ts';
import { gateFold, headerOf } from './gate-fold.ts';
import { judgeJournal } from './judge-journal.ts';
import { createResultsFolder, JOURNAL } from './results-folder.ts';
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
  /** The gates of each side, over all its rounds together. */
  readonly gates: { readonly base?: GatesDocument; readonly candidate?: GatesDocument };
  /** Absent without another side, or when the rounds were broken off. */
  readonly comparison?: Comparison;
}

type Side = RoundRun['side'];

/**
 * Runs a scenario round by round, both sides in each round and taking turns at being first: what a machine does to one it
 * does to the other (numbers of one job agree to a fraction of a per cent that differ by a quarter between jobs).
 * @throws SpillwayError as `runScenario`; rounds that are over are kept, with their list
 */
export async function runRounds(options: RoundsOptions): Promise<RoundsOutcome> {
  const { loaded, rounds, against, out, terminal } = options;
  await requireBothReachable(options);
  const { path: folder } = createResultsFolder(loaded.scenario.name, new Date(), out);
  const list: RoundRun[] = [];
  const outcomes: RunOutcome[] = [];
  const targets: Rounds['targets'] = {
    base: options.target ?? 'sandbox',
    ...(against && { candidate: against.target ?? 'sandbox' }),
  };
  const write = (members: Pick<Rounds, 'runs' | 'gates'>) =>
    writing('choose another folder with --out', () =>
      writeRounds(join(folder, ROUNDS_FILE), { scenario: loaded.scenario.name, targets, ...members }),
    );
  for (let round = 1; round <= rounds; round++) {
    for (const side of sidesOf(round, against !== undefined)) {
      terminal.tell(`round ${round} of ${rounds}: ${side} (${targets[side] ?? ''})`);
      const outcome = await runSide(options, side, join(folder, ...folderOf(round, side).split('/')));
      const { runId } = outcome.exported.summary.run;
      outcomes.push(outcome);
      list.push({ round, side, folder: folderOf(round, side), runId, exitCode: outcome.exitCode });
      await write({ runs: list });
      if (endsAll(outcome.exitCode)) return { exitCode: outcome.exitCode, folder, runs: outcomes, gates: {} };
    }
  }
  const gates = Object.fromEntries(
    (against ? (['base', 'candidate'] as const) : (['base'] as const)).map((side) => [
      side,
      gatesOf(folder, list, side),
    ]),
  );
  await write({ runs: list, gates });
  const comparison = against && (await compareRounds(folder));
  return {
    exitCode: exitCodeOfRounds(outcomes, Object.values(gates), comparison),
    folder,
    runs: outcomes,
    gates,
    ...(comparison && { comparison }),
  };
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

const folderOf = (round: number, side: Side): string => `round-${String(round).padStart(3, '0')}/${side}`;

function runSide(
  { rounds: _, against, out: __, target: own, ...options }: RoundsOptions,
  side: Side,
  out: string,
): Promise<RunOutcome> {
  mkdirSync(out, { recursive: true });
  const target = side === 'base' ? own : against?.target;
  return runScenario({ ...options, out, ...(target === undefined ? {} : { target }) });
}

/** Something that the next round would meet again, or a person's wish. */
const endsAll = (code: ExitCode): boolean =>
  ([ExitCode.toolDefect, ExitCode.targetUnusable, ExitCode.interrupted, ExitCode.abortedByGate] as number[]).includes(
    code,
  );

/** Gates over all rounds of one side: one round has too few samples for many of them. */
function gatesOf(folder: string, list: readonly RoundRun[], side: Side): GatesDocument {
  const journals = list
    .filter((run) => run.side === side)
    .map((run) => join(folder, ...run.folder.split('/'), JOURNAL));
  const [first = '', ...others] = journals;
  const fold = gateFold({ pool: others.map((journal) => ({ journal, header: headerOf(journal) })) });
  for (const record of readJournalSync(first)) fold.add(record);
  return fold.judge(judgeJournal(first));
}

/** What differs between runs of one command is the target, and what a machine tells of itself. */
async function compareRounds(folder: string): Promise<Comparison> {
  const options = { base: folder, candidates: [], metrics: [], slack: usualSlack, allow: ['incomplete'] as const };
  return (await compareOnDisk(options)).comparison;
}

/** In the order of design: what is proven, what is invalid, then gates, expectations and what became worse. */
function exitCodeOfRounds(
  runs: readonly RunOutcome[],
  gates: readonly GatesDocument[],
  comparison: Comparison | undefined,
): ExitCode {
  const codes = runs.map(({ exitCode }) => exitCode);
  const first = ([ExitCode.limitViolated, ExitCode.invalidRun] as const).find((code) => codes.includes(code));
  if (first !== undefined) return first;
  const unmet = runs.some(({ exported }) => exported.summary.expectations.unmet > 0);
  const failed = unmet || gates.some(({ passed }) => !passed) || comparison?.regressed === true;
  return failed ? ExitCode.gateFailed : ExitCode.ok;
}
