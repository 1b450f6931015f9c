import { join } from 'node:path';
import { onAbort, realClock, type SpillwayError, shellWord } from '../base/index.ts';
import { openJournal } from '../history/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import { checkServiceTime } from './check-service-time.ts';
import { checkStages } from './check-stages.ts';
import { concludeRun, type RunOutcome, type Sent } from './conclude-run.ts';
import { type Dashboard, startDashboard } from './dashboard/start.ts';
import { settleLoad } from './forecast/settle-load.ts';
import {
  atExit,
  type FailureReason,
  ignoreFirstInterrupt,
  ignoreHangUp,
  onInterrupt,
  type Stopper,
  stopper,
} from './interrupts.ts';
import { type Performance, perform } from './perform.ts';
import type { RunOptions } from './run-options.ts';
import { createResultsFolder, JOURNAL, type ResultsFolder, removeResultsFolder } from './stored/results-folder.ts';
import { embeddedTarget } from './target/embedded-target.ts';
import { loadedFor, remoteTarget, sandboxSettings, type Target } from './target/target.ts';
import { checkWorkers } from './workers/check.ts';
import { performWithWorkers } from './workers/perform.ts';

/**
 * Runs a scenario: opens the outputs, then the target, runs the plan, and exports the journal.
 * @throws SpillwayError with its exit code if nothing could be sent; an error never loses recorded data
 */
export async function runScenario(given: RunOptions): Promise<RunOutcome> {
  checkStages(given.loaded);
  checkServiceTime(given.loaded, given.target === undefined);
  const loaded = await settleLoad(loadedFor(given.loaded, given.target), given.target === undefined);
  const options: RunOptions = { ...given, loaded };
  const plan = compilePlan(loaded.scenario);
  checkWorkers(options.workers ?? 1, loaded, plan);
  const results = createResultsFolder(loaded.scenario.name, new Date(), options.out);
  const restoreHangUp = ignoreHangUp();
  let restoreInterrupt = () => {};
  const onSent = () => {
    // During rounds that the user has not interrupted, the listener of the rounds handles the signal.
    if (options.interrupts?.isRequested === false) return;
    restoreInterrupt = ignoreFirstInterrupt((text) => options.terminal.tell(text));
  };
  try {
    return await concludeRun(results.path, options, await sendAll({ options, plan, results, onSent }));
  } finally {
    restoreInterrupt();
    restoreHangUp();
  }
}

interface Prepared {
  readonly options: RunOptions;
  readonly plan: Plan;
  readonly results: ResultsFolder;
  /** Called after the last request, before the run's own signal listeners are removed. */
  readonly onSent: () => void;
}

/** Runs the plan and writes the journal. */
async function sendAll({ options, plan, results, onSent }: Prepared): Promise<Sent> {
  const { terminal, workers = 1 } = options;
  const folder = results.path;
  const stopping = stopper();
  const failures = failuresThatStop(stopping);
  const onFailure = (error: SpillwayError) => failures.fail(error, 'disk');
  const shared = workers > 1 && ({ shared: 'create' } as const);
  const journal = openJournal({ path: join(folder, JOURNAL), ...shared, clock: realClock(), onFailure });
  let began = false;
  const begin = () => {
    began = true;
  };
  /** Names the folder of the journal, or removes it if nothing was recorded. */
  const closeAfterFailure = () => {
    journal.close();
    if (began) terminal.tell(`everything recorded so far is kept: spillway report ${shellWord(folder)}`);
    else removeResultsFolder(results);
  };
  const release = onInterrupt(stopping, (text) => terminal.tell(text), options.interrupts);
  const cancelAtExit = atExit(closeAfterFailure);
  let dashboard: Dashboard | undefined;
  const forget = onAbort(stopping.signals.finish, () => dashboard?.stopping());
  try {
    dashboard = await openDashboard(options, plan, join(folder, JOURNAL));
    await performAtTarget({ options, plan, folder, journal, stopping, fail: failures.fail, dashboard, begin });
  } catch (error) {
    cancelAtExit();
    closeAfterFailure();
    await dashboard?.end();
    throw error;
  } finally {
    cancelAtExit();
    forget();
    onSent();
    release();
    terminal.finish();
  }
  journal.close();
  return { dashboard, failure: failures.first, stopped: stopping.reason };
}

/** Stops the run at each failure, and keeps the first one. */
function failuresThatStop(stopping: Stopper) {
  let first: SpillwayError | undefined;
  return {
    get first() {
      return first;
    },
    fail(error: SpillwayError, reason: FailureReason) {
      first ??= error;
      // If the budget is spent, open requests may still be answered.
      stopping.stop(reason, reason === 'budget');
    },
  };
}

/** Opens the target and runs the plan against it. */
async function performAtTarget(prepared: Omit<Performance, 'target'>): Promise<void> {
  const { options, fail } = prepared;
  const { workers = 1 } = options;
  let death: SpillwayError | undefined;
  const target = await openTarget(options, (error) => {
    death = error;
    fail(error, 'sandbox');
  });
  try {
    const run: Performance = { ...prepared, target, fail: failAfterProbe(target, fail) };
    await (workers > 1 ? performWithWorkers(run, workers) : perform(run));
  } catch (error) {
    // Without the sandbox its sockets do not open, and it does not answer: its death is the cause.
    await target.probe?.();
    throw death ?? error;
  } finally {
    await target.close();
  }
}

/**
 * If the embedded sandbox dies, its connections fail before its exit is reported. Probing it before an unusable target is reported
 * lets the sandbox's death be reported first, as the cause.
 */
function failAfterProbe({ probe }: Target, fail: Performance['fail']): Performance['fail'] {
  if (!probe) return fail;
  return (error, reason) => {
    if (reason === 'target') void probe().then(() => fail(error, reason));
    else fail(error, reason);
  };
}

function openTarget(
  { loaded, target, env, terminal }: RunOptions,
  onDeath: (error: SpillwayError) => void,
): Target | Promise<Target> {
  if (target !== undefined) return remoteTarget(loaded, target, env);
  return embeddedTarget(sandboxSettings(loaded), onDeath, (text) => terminal.tell(text));
}

/** Opens the live page, if requested, before anything is sent. @throws ConfigurationError if its port is not available */
async function openDashboard(
  { dashboard: port, loaded, terminal }: RunOptions,
  plan: Plan,
  journal: string,
): Promise<Dashboard | undefined> {
  if (port === undefined) return undefined;
  const { phases, durationUs } = plan;
  const opened = await startDashboard(
    { port, journal, scenario: loaded.scenario.name, plan: { phases, durationUs } },
    (because) => terminal.tell(`the live page is lost: its process ended (${because}); the run goes on without it`),
  );
  terminal.tell(`live page: ${opened.url}`);
  return opened;
}
