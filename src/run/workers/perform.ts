import { join } from 'node:path';
import { type Clock, onAbort, realClock } from '../../base/index.ts';
import { gateGuard } from '../gate-guard.ts';
import { journalHeader } from '../header.ts';
import { liveCounter } from '../live-state.ts';
import { checkOpenFiles, openFilesLimit } from '../open-files.ts';
import { endRecord, namedRun, type Performance } from '../perform.ts';
import { JOURNAL } from '../results-folder.ts';
import { withWatch } from '../watch.ts';
import { assemble, type Crew } from './crew.ts';
import { follower } from './follow.ts';
import { ordersOf } from './orders.ts';

/**
 * From the open sockets to the end record, with threads that send. This thread sends nothing: it writes the first and the last
 * line of the journal, passes on what stops the run, and watches.
 */
export async function performWithWorkers(performance: Performance, workers: number): Promise<void> {
  const { options, folder, journal, target, stopping, fail } = performance;
  const { loaded, terminal } = options;
  const { connections } = loaded.profile.client;
  const inAll = Math.max(connections, workers);
  checkOpenFiles(inAll, openFilesLimit());
  if (inAll > connections) terminal.tell(`each worker needs a connection: ${inAll} are opened, not ${connections}`);
  const run = await namedRun(performance);
  const path = join(folder, JOURNAL);
  const crew = await assemble(ordersOf(performance, { runId: run.runId, journal: path, workers }), fail);
  const deaf = heard(crew, performance);
  try {
    journal.write(journalHeader(loaded, run, workers));
    performance.begin();
    performance.dashboard?.began();
    const mapClock = await target.begin?.();
    const clock = realClock();
    if (mapClock) journal.write(mapClock(clock));
    crew.start(clock.origin());
    const { live, guard, beside, warnings } = watchers(performance, { path, clock, crew });
    const { deadline } = loaded.scenario;
    const counts = await withWatch(
      { clock, live, guard, stopping, terminal, deadline, warnings, beside },
      crew.finished,
    );
    await target.heard?.();
    journal.write(endRecord(clock.now(), counts, stopping.reason, guard.stoppedBy));
  } finally {
    deaf();
    await crew.end();
  }
}

/** Passes on to the workers what stops the run. @returns what ends that */
function heard(crew: Crew, { stopping: { signals } }: Performance): () => void {
  const ends = (['finish', 'abort'] as const).map((how) => {
    const pass = () => crew.stop(how === 'finish');
    if (!signals[how].aborted) return onAbort(signals[how], pass);
    pass();
    return () => undefined;
  });
  return () => {
    for (const end of ends) end();
  };
}

/** The live view and the gates that may end the run see what is written; where there is neither, nobody reads it. */
function watchers(
  { options: { loaded, terminal }, plan }: Performance,
  { path, clock, crew }: { readonly path: string; readonly clock: Clock; readonly crew: Crew },
) {
  const live = liveCounter(plan, loaded.profile);
  const guard = gateGuard(loaded.gates);
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
  return { live, guard, beside, warnings: () => [...crew.warnings(), ...following.warnings()] };
}
