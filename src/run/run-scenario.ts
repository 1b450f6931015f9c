import { join } from 'node:path';
import { type ExitCode, realClock, type SpillwayError } from '../base/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import { openJournal } from '../history/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import type { CsvFormat, Exported, VerdictsDocument } from '../report/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { type Dashboard, startDashboard } from './dashboard/start.ts';
import type { DebugSink } from './debug-sender.ts';
import { exitCodeOf, failedBecause, invalidBecause } from './exit-code.ts';
import type { PooledRun } from './gate-fold.ts';
import { atExit, onInterrupt, outliveHangUp, type StopReason, stopper } from './interrupts.ts';
import type { LiveCounter } from './live-state.ts';
import { type Performance, perform } from './perform.ts';
import { exportRun, type Made } from './report-run.ts';
import { createResultsFolder, JOURNAL, type ResultsFolder, removeResultsFolder } from './results-folder.ts';
import { settleLoad } from './settle-load.ts';
import { embeddedTarget, loadedFor, remoteTarget, sandboxSettings, type Target } from './target.ts';
import { checkWorkers } from './workers/check.ts';
import { performWithWorkers } from './workers/perform.ts';

/** How a run shows itself; `cli/` makes it from the terminal. */
export interface Terminal {
  /** A line for the person, outside the live view. */
  tell(text: string): void;
  /** A moment of the run, four times a second. Absent: nobody watches. */
  show?(live: ReturnType<LiveCounter['state']>): void;
  /** Takes the live view away. */
  finish(): void;
  /** Where `--debug` writes each exchange; absent without it. */
  readonly debug?: DebugSink;
}

export interface RunOptions {
  readonly loaded: LoadedScenario;
  /** Base address of a real service; absent: the embedded sandbox. */
  readonly target?: string;
  /** Folder for the results, new or empty; absent: one below results/. */
  readonly out?: string;
  readonly env: NodeJS.ProcessEnv;
  /** As typed; redacted before it is written. */
  readonly commandLine: readonly string[];
  readonly terminal: Terminal;
  /** Port of the live page, 0 for any free one; absent: there is none. */
  readonly dashboard?: number;
  /** Earlier runs whose samples count for the gates too. */
  readonly pool?: readonly PooledRun[];
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
  /** Threads that send, each for its own part of the users; default 1: this one. */
  readonly workers?: number;
}

export interface RunOutcome {
  readonly exitCode: ExitCode;
  readonly folder: string;
  readonly exported: Exported;
  /** The verdicts, and what of them counts. */
  readonly document: VerdictsDocument;
  readonly gates: GatesDocument;
  /** What ended the run early, for the person. */
  readonly error?: SpillwayError;
  /** Why the numbers of a run that ended by itself are not to be used; absent when they are. */
  readonly invalid?: string;
  /** Why a run whose numbers are good is not green; absent when it is. */
  readonly failed?: string;
}

/**
 * Runs a scenario: outputs first, then the target, then the plan, then the exports from the journal.
 * @throws SpillwayError with its exit code when nothing could be sent; what was recorded is never lost to an error
 */
export async function runScenario(given: RunOptions): Promise<RunOutcome> {
  const loaded = await settleLoad(loadedFor(given.loaded, given.target), given.target === undefined);
  const options: RunOptions = { ...given, loaded };
  const plan = compilePlan(loaded.scenario);
  checkWorkers(options.workers ?? 1, loaded, plan);
  const results = createResultsFolder(loaded.scenario.name, new Date(), options.out);
  // Until the reports are written.
  const dieOfHangUp = outliveHangUp();
  try {
    return await reported(results.path, options, await sendAll({ options, plan, results }));
  } finally {
    dieOfHangUp();
  }
}

/** What is left to do with a run that has ended. */
interface Sent {
  readonly dashboard: Dashboard | undefined;
  /** Why it was stopped before its plan ended. */
  readonly stopped: StopReason | undefined;
  /** What ended it, where the disk or the target did. */
  readonly failure: SpillwayError | undefined;
}

interface Prepared {
  readonly options: RunOptions;
  readonly plan: Plan;
  readonly results: ResultsFolder;
}

/** From the empty folder to the whole journal. */
async function sendAll({ options, plan, results }: Prepared): Promise<Sent> {
  const { terminal, workers = 1 } = options;
  const folder = results.path;
  const stopping = stopper();
  let failure: SpillwayError | undefined;
  const fail = (error: SpillwayError, reason: 'disk' | 'target') => {
    failure ??= error;
    stopping.stop(reason);
  };
  const journal = openJournal({
    path: join(folder, JOURNAL),
    ...(workers > 1 && { shared: 'create' }),
    clock: realClock(),
    onFailure: (error) => fail(error, 'disk'),
  });
  let began = false;
  const begin = () => {
    began = true;
  };
  /** What a run that broke leaves: its last lines and a word where they are, or nothing at all. */
  const leave = () => {
    journal.close();
    if (began) terminal.tell(`everything recorded until then is kept: spillway report ${folder}`);
    else removeResultsFolder(results);
  };
  const release = onInterrupt(stopping, (text) => terminal.tell(text));
  const stay = atExit(leave);
  let dashboard: Dashboard | undefined;
  try {
    dashboard = await openDashboard(options, plan, join(folder, JOURNAL));
    const target = await openTarget(options);
    try {
      const run: Performance = { options, plan, folder, journal, target, stopping, fail, dashboard, begin };
      await (workers > 1 ? performWithWorkers(run, workers) : perform(run));
    } finally {
      await target.close();
    }
  } catch (error) {
    stay();
    leave();
    await dashboard?.end();
    throw error;
  } finally {
    stay();
    release();
    terminal.finish();
  }
  journal.close();
  return { dashboard, failure, stopped: stopping.reason };
}

/** From the journal to everything that a run leaves, and its exit code. */
async function reported(
  folder: string,
  { pool, csvFormats }: RunOptions,
  { dashboard, failure, stopped }: Sent,
): Promise<RunOutcome> {
  const { exported, document, gates } = await exportThen(dashboard, () =>
    exportRun(folder, join(folder, JOURNAL), {
      ...(failure === undefined ? {} : { before: failure }),
      ...(pool === undefined ? {} : { pool }),
      ...(csvFormats === undefined ? {} : { csvFormats }),
    }),
  );
  const { summary } = exported;
  const endedAsPlanned = ['deadline', 'gate', undefined].includes(stopped);
  const invalid = endedAsPlanned ? invalidBecause(summary) : undefined;
  const failed = invalid === undefined ? failedBecause(summary) : undefined;
  return {
    exitCode: exitCodeOf({ summary, stopped, proven: document.proven, gates }),
    folder,
    exported,
    document,
    gates,
    ...(failure === undefined ? {} : { error: failure }),
    ...(invalid === undefined ? {} : { invalid }),
    ...(failed === undefined ? {} : { failed }),
  };
}

function openTarget({ loaded, target, env }: RunOptions): Target | Promise<Target> {
  return target === undefined ? embeddedTarget(sandboxSettings(loaded)) : remoteTarget(loaded, target, env);
}

/** Opens the live page, if there is to be one, before anything is sent. @throws ConfigurationError when its port cannot be had */
async function openDashboard(
  { dashboard: port, loaded, terminal }: RunOptions,
  plan: Plan,
  journal: string,
): Promise<Dashboard | undefined> {
  if (port === undefined) return undefined;
  const { phases, durationUs } = plan;
  const opened = await startDashboard({ port, journal, scenario: loaded.scenario.name, plan: { phases, durationUs } });
  terminal.tell(`live page: ${opened.url}`);
  return opened;
}

/** The live page ends with the verdicts; also when there are none. */
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
