import { join } from 'node:path';
import {
  freshKey,
  freshUuid,
  type Micros,
  type RestartableClock,
  realClock,
  type SpillwayError,
  toolVersion,
} from '../base/index.ts';
import type { Transport } from '../client/index.ts';
import type { EndRecord, JournalWriter } from '../history/index.ts';
import type { Plan } from '../plan/index.ts';
import { writeRunFacts } from '../report/index.ts';
import { runPlan } from '../schedule/index.ts';
import type { Dashboard } from './dashboard/start.ts';
import { writing } from './disk.ts';
import { generatorOf } from './generator/generator.ts';
import { warmUpGenerator } from './generator/warm-up.ts';
import { journalHeader, type RunNames } from './header.ts';
import type { FailureReason, Stopper, StopReason } from './interrupts.ts';
import { gateGuard } from './live/gate-guard.ts';
import { LiveCounter } from './live/live-state.ts';
import { withWatch } from './live/watch.ts';
import { machineFacts } from './machine.ts';
import { runBudget } from './run-budget.ts';
import type { RunOptions } from './run-options.ts';
import type { Target } from './target/target.ts';
import { openTransport } from './target/transport.ts';
import type { WorkerCounts } from './workers/messages.ts';

/** A run from the moment its outputs are open until its exports are made. */
export interface Performance {
  readonly options: RunOptions;
  readonly plan: Plan;
  readonly folder: string;
  readonly journal: JournalWriter;
  readonly target: Target;
  readonly stopping: Stopper;
  readonly fail: (error: SpillwayError, reason: FailureReason) => void;
  readonly dashboard: Dashboard | undefined;
  /** Called once the journal has its first line: from then on the folder is kept. */
  readonly begin: () => void;
}

/** Opens the sockets, runs the plan in this thread, and writes the end record. */
export async function perform(performance: Performance): Promise<void> {
  const { options, plan, target, stopping } = performance;
  const { profile } = options.loaded;
  await warmUpGenerator(options.loaded, plan, target.kind === 'embedded');
  const clock = realClock();
  const transport = await openTransport(profile, target, clock, stopping.signals.finish);
  try {
    await performOver(transport, clock, performance);
  } catch (error) {
    // After a defect the other users would continue without a connection, and the command would never end.
    stopping.stop('interrupted');
    throw error;
  } finally {
    await transport.close();
  }
}

/** @param clock started when the transport began to open its sockets */
async function performOver(transport: Transport, clock: RestartableClock, performance: Performance): Promise<void> {
  const { options, plan, journal, target, stopping, fail } = performance;
  const { loaded, terminal } = options;
  const run = await namedRun(performance);
  const live = new LiveCounter(plan, loaded.profile);
  const guard = gateGuard(loaded.gates);
  const { world, records } = generatorOf({
    loaded,
    target,
    clock,
    transport,
    openedUs: clock.now(),
    journal,
    runId: run.runId,
    digestKey: freshKey(),
    budget: runBudget({ target, loaded, spent: options.spent }, (error) => fail(error, 'budget')),
    onRecord: (record) => {
      live.add(record);
      guard.add(record);
    },
    onUnusable: (error) => fail(error, 'target'),
    debug: terminal.debug,
  });
  performance.dashboard?.began();
  const mapClock = await target.begin?.();
  clock.restart();
  records.record(journalHeader(loaded, { ...run, startedAt: wallClock() }));
  performance.begin();
  if (mapClock) records.record(mapClock(clock));
  const { stopsAtUs } = plan;
  const { warnings, watch: beside } = records;
  const counts = await withWatch({ clock, live, guard, stopping, terminal, stopsAtUs, warnings, beside }, () =>
    runPlan(plan, world, stopping.signals),
  );
  await target.probe?.();
  records.record(endRecord(clock.now(), { ...counts, ...records.counts }, stopping.reason, guard.stoppedBy));
}

/**
 * Names the run and writes `run.json`, before anything is sent. The run does not start yet: opening its sockets and threads may take
 * seconds.
 * @throws SpillwayError RESULTS_NOT_WRITABLE (exit 12)
 */
export async function namedRun({ options, target, folder }: Performance): Promise<Omit<RunNames, 'startedAt'>> {
  const run = { runId: freshUuid(), embedded: target.kind === 'embedded' };
  const facts = { ...run, startedAt: wallClock(), ...factsOf(options) };
  await writing(() => writeRunFacts(join(folder, 'run.json'), facts));
  const clockRate = target.begin && target.serviceRate;
  return { ...run, clockRate, ...(options.round && { round: options.round }) };
}

/** ISO 8601, UTC. */
export const wallClock = (): string => new Date().toISOString();

function factsOf({ loaded, target, commandLine }: RunOptions) {
  return {
    scenario: { name: loaded.scenario.name, file: loaded.file },
    ...(target !== undefined && { target }),
    seed: loaded.scenario.seed,
    profile: loaded.profile,
    versions: { spillway: toolVersion, node: process.version },
    machine: machineFacts(),
    commandLine,
  };
}

/** The last line of the journal. @param gate the gate that stopped the run, if one did */
export function endRecord(
  at: Micros,
  { arrivals, exchanges, streams, drops }: WorkerCounts,
  stopped: StopReason | undefined,
  gate: string | undefined,
): EndRecord {
  // A deadline is set by the scenario, but what it cut off did not end as planned: the run is not complete.
  const ending = stopped === undefined ? { complete: true } : { complete: false, reason: stopped };
  const failed = stopped === 'gate' && gate !== undefined ? { gate } : {};
  return { kind: 'end', at, arrivals, exchanges, streams, drops, ...ending, ...failed };
}
