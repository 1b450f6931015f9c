import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Clock, type Micros, realClock, SpillwayError } from '../../base/index.ts';
import type { Transport } from '../../client/index.ts';
import { openJournal } from '../../history/index.ts';
import { compilePlan, type Plan } from '../../plan/index.ts';
import { runPlan } from '../../schedule/index.ts';
import { generatorOf } from '../generator/generator.ts';
import type { OneOfSeveral } from '../generator/recorder.ts';
import { warmUpGenerator } from '../generator/warm-up.ts';
import { atExit, type FailureReason, type Stopper, stopper } from '../interrupts.ts';
import { runBudget } from '../run-budget.ts';
import { openTransport } from '../target/transport.ts';
import { plainError, type WorkerCounts, type WorkerOrders, type WorkerReply, type WorkerRequest } from './messages.ts';

/*
 * Entry of a worker thread, which runs its segment of the plan. It has its own sockets and tokens; it shares the journal file, the
 * caps, the stocks of iterations and the budget with the other workers. An exception that it throws is a defect of this tool and
 * ends the run.
 */

async function work(orders: WorkerOrders, port: MessagePort): Promise<void> {
  const reply = (message: WorkerReply) => port.postMessage(message);
  const stopping = stopper();
  const started = listen(port, stopping, reply);
  const { loaded, target, worker, workers } = orders;
  const plan = compilePlan(loaded.scenario).segment({ part: worker - 1, of: workers });
  const clock = realClock();
  let transport: Transport;
  try {
    await warmUpGenerator(loaded, plan, target.kind === 'embedded');
    clock.restart();
    transport = await openTransport(loaded.profile, target, clock, stopping.signals.finish);
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
function listen(port: MessagePort, stopping: Stopper, reply: Part['reply']): Promise<number> {
  return new Promise((started) => {
    port.on('message', (request: WorkerRequest) => {
      if (request.kind === 'start') return started(request.originUs);
      stopping.stop('interrupted', request.gently);
      if (!request.gently) reply({ kind: 'heard' });
    });
  });
}

interface Part {
  readonly orders: WorkerOrders;
  readonly plan: Plan;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly openedUs: Micros;
  readonly stopping: Stopper;
  readonly reply: (message: WorkerReply) => void;
}

async function runPart({ orders, plan, clock, transport, openedUs, stopping, reply }: Part): Promise<WorkerCounts> {
  const { loaded, target, runId, digestKey } = orders;
  const fail = (error: SpillwayError, reason: FailureReason) =>
    reply({ kind: 'failure', error: plainError(error), reason });
  const onFailure = (error: SpillwayError) => fail(error, 'disk');
  const journal = openJournal({ path: orders.journal, shared: 'join', clock, onFailure });
  const cancelAtExit = atExit(() => journal.close());
  try {
    const reportWarnings = warningReporter(reply);
    const { world, records } = generatorOf({
      loaded,
      target,
      clock,
      transport,
      openedUs,
      journal,
      runId,
      digestKey,
      budget: runBudget(orders, (error) => {
        // Does not wait for the main thread's stop: until then, users of a closed model would start journey after journey.
        stopping.stop('budget', true);
        fail(error, 'budget');
      }),
      onRecord: (record) => record.kind === 'health' && reportWarnings(records.warnings()),
      onUnusable: (error) => fail(error, 'target'),
      among: amongOf(orders),
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

const amongOf = ({ worker, workers, hadToken, nextDate, tokenMemory }: WorkerOrders): OneOfSeveral => ({
  worker,
  workers,
  hadToken: new Int32Array(hadToken),
  nextDate: new Int32Array(nextDate),
  tokenMemory,
});

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
