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
 * Entry of a worker: a thread that runs its part of the plan with sockets, tokens and journal of its own, and shares with the others
 * nothing but caps and stocks. Whatever it throws is a defect of ours and ends the run.
 */

type Transport = Awaited<ReturnType<typeof openTransport>>;

async function work(orders: WorkerOrders, port: MessagePort): Promise<void> {
  const tell = (reply: WorkerReply) => port.postMessage(reply);
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
    return tell({ kind: 'refused', error: plainError(error) });
  }
  try {
    const openedUs = clock.now();
    tell({ kind: 'ready' });
    clock.restart(await started);
    tell({ kind: 'done', counts: await runPart({ orders, plan, clock, transport, openedUs, stopping, tell }) });
  } finally {
    await transport.close();
  }
}

/** Resolves with run time 0. */
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
  readonly tell: (reply: WorkerReply) => void;
}

async function runPart({ orders, plan, clock, transport, openedUs, stopping, tell }: Part): Promise<WorkerCounts> {
  const { loaded, target, runId, worker, workers } = orders;
  const journal = openJournal({
    path: orders.journal,
    shared: 'join',
    clock,
    onFailure: (error) => tell({ kind: 'trouble', error: plainError(error), reason: 'disk' }),
  });
  const stay = atExit(() => journal.close());
  try {
    const queue = connectionQueue(transport);
    const news = warningsTold(tell);
    const records: Recorder = recorder({
      journal,
      baseUrl: target.baseUrl,
      followsDate: target.followsDate,
      profile: loaded.profile,
      clock,
      openedUs,
      onRecord: (record) => record.kind === 'health' && news(records.warnings()),
      scenario: loaded.scenario,
      longestQueue: queue.takeLongest,
      takeUnasked: () => transport.takeUnasked(),
      onUnusable: (error) => tell({ kind: 'trouble', error: plainError(error), reason: 'target' }),
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
        // The others hear of it soon; here, users of a closed model would begin one journey after another until then.
        stopping.stop('budget', true);
        tell({ kind: 'trouble', error: plainError(error), reason: 'budget' });
      }),
      labelOf: (n) => `t${(n - 1) * workers + worker}`,
    });
    const over = new AbortController();
    const watching = records.watch(over.signal);
    const counts = await runPlan(plan, world, stopping.signals, orders.shares).finally(() => over.abort());
    await watching;
    return { ...counts, ...records.counts };
  } finally {
    stay();
    journal.close();
  }
}

/** Told only when they change. */
function warningsTold(tell: Part['tell']): (warnings: readonly string[]) => void {
  let last = '';
  return (warnings) => {
    const text = warnings.join('\n');
    if (text === last) return;
    last = text;
    tell({ kind: 'warnings', warnings });
  };
}

if (parentPort) await work(workerData as WorkerOrders, parentPort);
