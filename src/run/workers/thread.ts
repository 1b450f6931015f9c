import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { realClock, SpillwayError } from '../../base/index.ts';
import { openJournal } from '../../history/index.ts';
import { compilePlan } from '../../plan/index.ts';
import { runPlan } from '../../schedule/index.ts';
import { connectionQueue } from '../connection-queue.ts';
import { echoGuard, echoOptions } from '../echo-guard.ts';
import { atExit, type Stopper, stopper } from '../interrupts.ts';
import { type Recorder, recorder } from '../recorder.ts';
import { runBudget } from '../run-budget.ts';
import { openTransport } from '../transport.ts';
import { warmUpGenerator } from '../warm-up.ts';
import { worldOf } from '../world.ts';
import { plainError, type WorkerCounts, type WorkerOrders, type WorkerReply, type WorkerRequest } from './messages.ts';

/*
 * Entry of a worker thread, which runs its segment of the plan. It has its own sockets and tokens; it shares the journal file, the
 * caps, the stocks of iterations and the budget with the other workers. An exception that it throws is a defect of this tool and
 * ends the run.
 */

type Transport = Awaited<ReturnType<typeof openTransport>>;

async function work(orders: WorkerOrders, port: MessagePort): Promise<void> {
  const reply = (message: WorkerReply) => port.postMessage(message);
  const stopping = stopper();
  const started = listen(port, stopping);
  const { loaded, target, worker, workers } = orders;
  const plan = compilePlan(loaded.scenario).segment({ part: worker - 1, of: workers });
  const clock = realClock();
  let transport: Transport;
  try {
    await warmUpGenerator(loaded, plan, target.kind === 'embedded');
    clock.restart();
    transport = await openTransport(loaded.profile, target, clock);
  } catch (error) {
    if (!(error instanceof SpillwayError)) throw error;
    return reply({ kind: 'refused', error: plainError(error) });
  }
  try {
    const openedUs = clock.now();
    reply({ kind: 'ready' });
    clock.restart(await started);
    reply({ kind: 'done', counts: await runPart({ orders, plan, clock, transport, openedUs, stopping, reply }) });
  } finally {
    await transport.close();
  }
}

/** Listens to the main thread. @returns the origin of the run's clock, once the main thread starts the run */
function listen(port: MessagePort, stopping: Stopper): Promise<number> {
  return new Promise((started) => {
    port.on('message', (request: WorkerRequest) => {
      if (request.kind === 'start') started(request.originUs);
      else stopping.stop('interrupted', request.gently);
    });
  });
}

interface Part {
  readonly orders: WorkerOrders;
  readonly plan: ReturnType<typeof compilePlan>;
  readonly clock: ReturnType<typeof realClock>;
  readonly transport: Transport;
  readonly openedUs: ReturnType<Part['clock']['now']>;
  readonly stopping: Stopper;
  readonly reply: (message: WorkerReply) => void;
}

async function runPart({ orders, plan, clock, transport, openedUs, stopping, reply }: Part): Promise<WorkerCounts> {
  const { loaded, target, runId, worker, workers } = orders;
  const journal = openJournal({
    path: orders.journal,
    shared: 'join',
    clock,
    onFailure: (error) => reply({ kind: 'failure', error: plainError(error), reason: 'disk' }),
  });
  const cancelAtExit = atExit(() => journal.close());
  try {
    const queue = connectionQueue(transport);
    const reportWarnings = warningReporter(reply);
    const records: Recorder = recorder({
      journal,
      baseUrl: target.baseUrl,
      followsDate: target.followsDate,
      profile: loaded.profile,
      clock,
      openedUs,
      onRecord: (record) => record.kind === 'health' && reportWarnings(records.warnings()),
      scenario: loaded.scenario,
      longestQueue: queue.takeLongest,
      takeUnasked: () => transport.takeUnasked(),
      onUnusable: (error) => reply({ kind: 'failure', error: plainError(error), reason: 'target' }),
      among: {
        worker,
        workers,
        hadToken: new Int32Array(orders.hadToken),
        nextDate: new Int32Array(orders.nextDate),
      },
    });
    const world = worldOf({
      loaded,
      target,
      clock,
      sender: queue.sender,
      echoes: echoGuard(target.credentials.values(), echoOptions(loaded, target)),
      record: records.record,
      announces: records.announces,
      runId,
      digestKey: orders.digestKey,
      budget: runBudget(orders, (error) => {
        // Does not wait for the main thread's stop: until then, users of a closed model would start journey after journey.
        stopping.stop('budget', true);
        reply({ kind: 'failure', error: plainError(error), reason: 'budget' });
      }),
      labelOf: (n) => `t${(n - 1) * workers + worker}`,
    });
    const over = new AbortController();
    const watching = records.watch(over.signal);
    const counts = await runPlan(plan, world, stopping.signals, orders.shares).finally(() => over.abort());
    await watching;
    return { ...counts, ...records.counts };
  } finally {
    cancelAtExit();
    journal.close();
  }
}

/** Sends the warnings whenever they change. */
function warningReporter(reply: Part['reply']): (warnings: readonly string[]) => void {
  let last = '';
  return (warnings) => {
    const text = warnings.join('\n');
    if (text === last) return;
    last = text;
    reply({ kind: 'warnings', warnings });
  };
}

if (parentPort) await work(workerData as WorkerOrders, parentPort);
