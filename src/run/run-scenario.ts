import { join } from 'node:path';
import { realClock, type SpillwayError } from '../base/index.ts';
import { openJournal, type RoundOf } from '../history/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { checkStages } from './check-stages.ts';
import { concludeRun, type ReportOptions, type RunOutcome, type Sent } from './conclude-run.ts';
import { type Dashboard, startDashboard } from './dashboard/start.ts';
import type { DebugSink } from './debug-sender.ts';
import { embeddedTarget } from './embedded-target.ts';
import {
  atExit,
  type FailureReason,
  onInterrupt,
  outliveHangUp,
  outliveInterrupt,
  type RoundsInterrupts,
  stopper,
} from './interrupts.ts';
import type { LiveCounter } from './live-state.ts';
import { type Performance, perform } from './perform.ts';
import { createResultsFolder, JOURNAL, type ResultsFolder, removeResultsFolder } from './results-folder.ts';
import { settleLoad } from './settle-load.ts';
import { loadedFor, remoteTarget, sandboxSettings, type Target } from './target.ts';
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

export interface RunOptions extends ReportOptions {
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
  /** Threads that send, each for its own part of the users; default 1: this one. */
  readonly workers?: number;
  /** Which round of several this is; absent: it is none. */
  readonly round?: RoundOf;
  /** What of the profile's budget was spent in the rounds before; it is counted on. Absent: nothing. */
  readonly spent?: SharedArrayBuffer;
  /** Who listens for Ctrl-C while this round does not. */
  readonly interrupts?: RoundsInterrupts;
}

/**
 * Runs a scenario: outputs first, then the target, then the plan, then the exports from the journal.
 * @throws SpillwayError with its exit code when nothing could be sent; what was recorded is never lost to an error
 */
export async function runScenario(given: RunOptions): Promise<RunOutcome> {
  checkStages(given.loaded);
  const loaded = await settleLoad(loadedFor(given.loaded, given.target), given.target === undefined);
  const options: RunOptions = { ...given, loaded };
  const plan = compilePlan(loaded.scenario);
  checkWorkers(options.workers ?? 1, loaded, plan);
  const results = createResultsFolder(loaded.scenario.name, new Date(), options.out);
  // Until the reports are written.
  const dieOfHangUp = outliveHangUp();
  let dieOfInterrupt = () => {};
  const onSent = () => {
    // Of rounds that nobody wants to end, their own listener sees to it.
    if (options.interrupts?.isAsked === false) return;
    dieOfInterrupt = outliveInterrupt((text) => options.terminal.tell(text));
  };
  try {
    return await concludeRun(results.path, options, await sendAll({ options, plan, results, onSent }));
  } finally {
    dieOfInterrupt();
    dieOfHangUp();
  }
}

interface Prepared {
  readonly options: RunOptions;
  readonly plan: Plan;
  readonly results: ResultsFolder;
  /** Called before the signals are given back. */
  readonly onSent: () => void;
}

/** From the empty folder to the whole journal. */
async function sendAll({ options, plan, results, onSent }: Prepared): Promise<Sent> {
  const { terminal, workers = 1 } = options;
  const folder = results.path;
  const stopping = stopper();
  let failure: SpillwayError | undefined;
  const fail = (error: SpillwayError, reason: FailureReason) => {
    failure ??= error;
    // What is sent may still be answered.
    stopping.stop(reason, reason === 'budget');
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
  const release = onInterrupt(stopping, (text) => terminal.tell(text), options.interrupts);
  const stay = atExit(leave);
  let dashboard: Dashboard | undefined;
  try {
    dashboard = await openDashboard(options, plan, join(folder, JOURNAL));
    const target = await openTarget(options, (error) => fail(error, 'sandbox'));
    try {
      const told = failAt(target, fail);
      const run: Performance = { options, plan, folder, journal, target, stopping, fail: told, dashboard, begin };
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
    onSent();
    release();
    terminal.finish();
  }
  journal.close();
  return { dashboard, failure, stopped: stopping.reason };
}

/** A sandbox that died cannot be reached either: it is asked before that is told, and where it died, that was. */
function failAt({ heard }: Target, fail: Performance['fail']): Performance['fail'] {
  if (!heard) return fail;
  return (error, reason) => {
    if (reason === 'target') void heard().then(() => fail(error, reason));
    else fail(error, reason);
  };
}

function openTarget(
  { loaded, target, env }: RunOptions,
  onDeath: (error: SpillwayError) => void,
): Target | Promise<Target> {
  return target === undefined ? embeddedTarget(sandboxSettings(loaded), onDeath) : remoteTarget(loaded, target, env);
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
