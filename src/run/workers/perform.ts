import { join } from 'node:path';
import { type Clock, formatCount, realClock, whenAborted } from '../../base/index.ts';
import { journalHeader } from '../header.ts';
import { gateGuard } from '../live/gate-guard.ts';
import { LiveCounter } from '../live/live-state.ts';
import { withWatch } from '../live/watch.ts';
import { endRecord, namedRun, type Performance, wallClock } from '../perform.ts';
import { JOURNAL } from '../stored/results-folder.ts';
import { checkOpenFiles, openFilesLimit } from '../target/open-files.ts';
import { follower } from './follow.ts';
import { ordersOf } from './orders.ts';
import { startWorkers, type WorkerGroup } from './worker-group.ts';

/**
 * Like `perform`, with worker threads that send. This thread sends nothing: it writes the header and the end record, forwards stop
 * signals to the workers, and updates the live view and the gates.
 */
export async function performWithWorkers(performance: Performance, workers: number): Promise<void> {
  const { options, folder, journal, target, stopping, fail } = performance;
  const { loaded, terminal } = options;
  const { connections } = loaded.profile.client;
  const total = Math.max(connections, workers);
  checkOpenFiles(total, openFilesLimit(), workers);
  if (total > connections)
    terminal.tell(`each worker needs a connection: ${formatCount(total)} are opened, not ${formatCount(connections)}`);
  const run = await namedRun(performance);
  const path = join(folder, JOURNAL);
  const orders = ordersOf(performance, { runId: run.runId, journal: path, workers });
  const group = await startWorkers(orders, fail, stopping.signals.finish);
  const stopForwarding = forwardStops(group, performance);
  try {
    performance.dashboard?.began();
    const mapClock = await target.begin?.();
    const clock = realClock();
    journal.write(journalHeader(loaded, { ...run, startedAt: wallClock() }, workers));
    performance.begin();
    if (mapClock) journal.write(mapClock(clock));
    group.start(clock.origin());
    const { live, guard, beside, warnings } = watchers(performance, { path, clock, group });
    const { stopsAtUs } = performance.plan;
    const counts = await withWatch(
      { clock, live, guard, stopping, terminal, stopsAtUs, warnings, beside },
      group.finished,
    );
    await target.probe?.();
    journal.write(endRecord(clock.now(), counts, stopping.reason, guard.stoppedBy));
  } finally {
    stopForwarding();
    await group.end();
  }
}

/** Forwards the run's stop signals to the workers. @returns a function that ends this */
function forwardStops(group: WorkerGroup, { stopping: { signals } }: Performance): () => void {
  const removers = (['finish', 'abort'] as const).map((how) =>
    whenAborted(signals[how], () => group.stop(how === 'finish')),
  );
  return () => {
    for (const remove of removers) remove();
  };
}

/** Feeds the journal to the live view and to the gates that may stop the run. Without either, the journal is not read. */
function watchers(
  { options: { loaded, terminal }, plan }: Performance,
  { path, clock, group }: { readonly path: string; readonly clock: Clock; readonly group: WorkerGroup },
) {
  const live = new LiveCounter(plan, loaded.profile);
  const guard = gateGuard(loaded.gates, (now) => following.readUntil(now));
  const following = follower({
    path,
    clock,
    isUrgent: guard.watches,
    onRecord: (record) => {
      live.add(record);
      guard.add(record);
    },
  });
  const isWatched = terminal.show !== undefined || guard.watches;
  const beside = async (signal: AbortSignal) => {
    if (isWatched) await following.run(signal);
  };
  return { live, guard, beside, warnings: () => [...group.warnings(), ...following.warnings()] };
}
