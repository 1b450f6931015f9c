import { join } from 'node:path';
import {
  type ExitCode,
  freshKey,
  freshUuid,
  type Micros,
  microsFromMillis,
  realClock,
  type SpillwayError,
} from '../base/index.ts';
import type { GatesDocument } from '../gates/index.ts';
import { type JournalWriter, openJournal } from '../history/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import { type CsvFormat, type Exported, type VerdictsDocument, writeRunFacts } from '../report/index.ts';
import { expectsAnything, type LoadedScenario } from '../scenario/index.ts';
import { type RunCounts, runPlan, type World } from '../schedule/index.ts';
import { connectionQueue } from './connection-queue.ts';
import { type Dashboard, startDashboard } from './dashboard/start.ts';
import { type DebugSink, debugSender } from './debug-sender.ts';
import { writing } from './disk.ts';
import { echoGuard } from './echo-guard.ts';
import { exitCodeOf, failedBecause, invalidBecause } from './exit-code.ts';
import type { PooledRun } from './gate-fold.ts';
import { type GateGuard, gateGuard } from './gate-guard.ts';
import { journalHeader } from './header.ts';
import { onInterrupt, type Stopper, stopper } from './interrupts.ts';
import { type LiveCounter, liveCounter } from './live-state.ts';
import { machineFacts, toolVersion } from './machine.ts';
import { type Recorder, recorder } from './recorder.ts';
import { rehearse } from './rehearse.ts';
import { exportRun, type Made } from './report-run.ts';
import { createResultsFolder, JOURNAL, removeResultsFolder } from './results-folder.ts';
import { settleLoad } from './settle-load.ts';
import { embeddedTarget, remoteTarget, sandboxSettings, type Target } from './target.ts';
import { openTransport } from './transport.ts';
import { worldOf } from './world.ts';

/** How a run shows itself; `cli/` makes it from the terminal. */
export interface Terminal {
  /** A line for the person, outside the live view. */
  tell(text: string): void;
  /** A moment of the run, four times a second. */
  show(live: ReturnType<LiveCounter['state']>): void;
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
  const { terminal } = given;
  const loaded = await settleLoad(given.loaded, given.target === undefined);
  const options: RunOptions = { ...given, loaded };
  const plan = compilePlan(loaded.scenario);
  const results = createResultsFolder(loaded.scenario.name, new Date(), options.out);
  const folder = results.path;
  const stopping = stopper();
  let failure: SpillwayError | undefined;
  const fail = (error: SpillwayError, reason: 'disk' | 'target') => {
    failure ??= error;
    stopping.stop(reason);
  };
  const journal = openJournal({
    path: join(folder, JOURNAL),
    clock: realClock(),
    onFailure: (error) => fail(error, 'disk'),
  });
  const release = onInterrupt(stopping, (text) => terminal.tell(text));
  let began = false;
  let dashboard: Dashboard | undefined;
  try {
    dashboard = await openDashboard(options, plan, join(folder, JOURNAL));
    await warmUpGenerator(options, plan);
    const target = await openTarget(options);
    try {
      await perform({
        options,
        plan,
        folder,
        journal,
        target,
        stopping,
        fail,
        dashboard,
        begin: () => {
          began = true;
        },
      });
    } finally {
      await target.close();
    }
  } catch (error) {
    journal.close();
    if (!began) removeResultsFolder(results);
    await dashboard?.end();
    throw error;
  } finally {
    release();
    terminal.finish();
  }
  journal.close();
  const { exported, document, gates } = await exportThen(dashboard, () =>
    exportRun(folder, join(folder, JOURNAL), {
      ...(failure === undefined ? {} : { before: failure }),
      ...(options.pool === undefined ? {} : { pool: options.pool }),
      ...(options.csvFormats === undefined ? {} : { csvFormats: options.csvFormats }),
    }),
  );
  const { summary } = exported;
  const expects = expectsAnything(loaded.scenario, Object.keys(summary.journeys));
  const endedAsPlanned = ['deadline', 'gate', undefined].includes(stopping.reason);
  const invalid = endedAsPlanned ? invalidBecause(summary) : undefined;
  const failed = invalid === undefined ? failedBecause(summary, expects) : undefined;
  return {
    exitCode: exitCodeOf({ summary, stopped: stopping.reason, proven: document.proven, gates, expects }),
    folder,
    exported,
    document,
    gates,
    ...(failure === undefined ? {} : { error: failure }),
    ...(invalid === undefined ? {} : { invalid }),
    ...(failed === undefined ? {} : { failed }),
  };
}

/**
 * Rehearses the beginning of the plan, in virtual time: code that runs for the first time is slow, and that slowness must
 * not read as the service's. Changes nothing and sends nothing.
 */
async function warmUpGenerator({ loaded, target }: RunOptions, plan: Plan): Promise<void> {
  await rehearse(loaded, plan, target === undefined, {
    turnQuantile: 0.5,
    roundTripUs: 1_000 as Micros,
    mostExchanges: 300,
  });
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

interface Performance {
  readonly options: RunOptions;
  readonly plan: Plan;
  readonly folder: string;
  readonly journal: JournalWriter;
  readonly target: Target;
  readonly stopping: Stopper;
  readonly fail: (error: SpillwayError, reason: 'disk' | 'target') => void;
  readonly dashboard: Dashboard | undefined;
  /** Called when the journal has its first line: from then on the folder is kept. */
  readonly begin: () => void;
}

/** From the open sockets to the end record. */
async function perform(performance: Performance): Promise<void> {
  const { options, plan, folder, journal, target, stopping } = performance;
  const { loaded, terminal } = options;
  const clock = realClock();
  const transport = await openTransport(loaded.profile, target.baseUrl, clock);
  try {
    const run = { runId: freshUuid(), startedAt: new Date().toISOString(), embedded: target.kind === 'embedded' };
    await writing('choose another folder with --out', () =>
      writeRunFacts(join(folder, 'run.json'), { ...run, ...factsOf(options) }),
    );
    const live = liveCounter(plan, loaded.profile);
    const guard = gateGuard(loaded.gates);
    const openedUs = clock.now();
    clock.restart();
    const queue = connectionQueue(
      terminal.debug === undefined ? transport : debugSender(transport, terminal.debug, loaded, target),
    );
    performance.dashboard?.began();
    const records = recorder({
      journal,
      target,
      clock,
      live,
      openedUs,
      onRecord: (record) => guard.add(record),
      scenario: loaded.scenario,
      longestQueue: queue.takeLongest,
      onUnusable: (error) => performance.fail(error, 'target'),
    });
    records.record(journalHeader(loaded, run));
    performance.begin();
    if (target.clockRecord) records.record(target.clockRecord(clock));
    const world = worldOf({
      loaded,
      target,
      clock,
      sender: echoGuard(queue.sender),
      record: records.record,
      runId: run.runId,
      digestKey: freshKey(),
    });
    const counts = await withWatch(
      { world, records, live, guard, stopping, terminal, deadline: loaded.scenario.deadline },
      () => runPlan(plan, world, stopping.signals),
    );
    records.end(counts, stopping.reason, stopping.reason === 'gate' ? guard.stoppedBy : undefined);
  } finally {
    await transport.close();
  }
}

interface Watch {
  readonly world: World;
  readonly records: Recorder;
  readonly live: LiveCounter;
  readonly guard: GateGuard;
  readonly stopping: Stopper;
  readonly terminal: Terminal;
  readonly deadline: number | undefined;
}

const SHOW_EVERY_US = 250_000;

/** Runs `work` while health is recorded, the live view is shown, and the scenario's deadline and gates are kept. */
async function withWatch(
  { world, records, live, guard, stopping, terminal, deadline }: Watch,
  work: () => Promise<RunCounts>,
): Promise<RunCounts> {
  const { clock } = world;
  const over = new AbortController();
  const watching = [
    records.watch(over.signal),
    guard.watch(clock, over.signal, () => stopping.stop('gate')),
    (async () => {
      for (let at = SHOW_EVERY_US; !over.signal.aborted; at += SHOW_EVERY_US) {
        await clock.sleepUntil(at as Micros, over.signal);
        if (over.signal.aborted) return;
        const state = live.state(clock.now(), stopping.signals.finish.aborted);
        // What would make the run invalid is said in the scenario's own terms.
        const invalidating = records.warnings();
        terminal.show(invalidating.length === 0 ? state : { ...state, warnings: invalidating });
      }
    })(),
    (async () => {
      if (deadline === undefined) return;
      await clock.sleepUntil(microsFromMillis(deadline), over.signal);
      if (!over.signal.aborted) stopping.stop('deadline');
    })(),
  ];
  try {
    return await work();
  } finally {
    over.abort();
    await Promise.all(watching);
  }
}

function factsOf({ loaded, target, commandLine }: RunOptions) {
  return {
    scenario: { name: loaded.scenario.name, file: loaded.file },
    ...(target === undefined ? {} : { target }),
    seed: loaded.scenario.seed,
    profile: loaded.profile,
    versions: { spillway: toolVersion, node: process.version },
    machine: machineFacts(),
    commandLine,
  };
}
