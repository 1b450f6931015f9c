import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { ExitCode, SpillwayError, whenAborted } from '../../base/index.ts';
import type { FailureReason } from '../interrupts.ts';
import {
  errorFrom,
  sumOf,
  type WorkerCounts,
  type WorkerOrders,
  type WorkerReply,
  type WorkerRequest,
} from './messages.ts';

/** The worker threads of one run, all with open sockets. */
export interface WorkerGroup {
  /** Starts all workers. @param originUs run time 0, µs on the machine's monotonic clock */
  start(originUs: number): void;
  stop(gently: boolean): void;
  /** Current warnings, each with the number of its worker. */
  warnings(): readonly string[];
  /**
   * Resolves with the sums of their counts when all are done.
   * @throws the error of a worker that threw or died, after the others have stopped and written their records
   */
  finished(): Promise<WorkerCounts>;
  /** Terminates the threads that still run. */
  end(): Promise<void>;
}

type OnFailure = (error: SpillwayError, reason: FailureReason) => void;

/**
 * When one worker died, the others have this long to write their records. When all are told to stop at once, a worker that does not
 * hear it for so long is blocked, and would keep the run from ever ending. One that hears it may take longer to record what is left.
 */
const SHUTDOWN_GRACE_MS = 5_000;

/**
 * Starts one worker for each of the orders.
 * @param stopped aborted if the run is stopped meanwhile: then they no longer wait for their sockets
 * @throws the error of a worker that cannot start; the others are terminated
 */
export async function startWorkers(
  orders: readonly WorkerOrders[],
  onFailure: OnFailure,
  stopped?: AbortSignal,
): Promise<WorkerGroup> {
  const members = orders.map((one) => memberOf(one, onFailure));
  let timer: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(timer);
    await Promise.all(members.map(({ thread }) => thread.terminate()));
  };
  const tell = (request: WorkerRequest) => {
    for (const { thread } of members) thread.postMessage(request);
  };
  const forget = whenAborted(stopped, () => tell({ kind: 'stop', gently: true }));
  try {
    await Promise.all(members.map(({ ready }) => ready));
  } catch (error) {
    await end();
    throw error;
  } finally {
    forget();
  }
  const stop = (gently: boolean) => {
    tell({ kind: 'stop', gently });
    if (!gently) timer ??= endTheDeafLater(members);
  };
  return {
    start: (originUs) => tell({ kind: 'start', originUs }),
    stop,
    warnings: () => members.flatMap(({ worker, warnings }) => warnings().map((text) => `worker ${worker}: ${text}`)),
    finished: () =>
      allDone(members, () => {
        stop(false);
        const timer = setTimeout(() => void end(), SHUTDOWN_GRACE_MS);
        return () => clearTimeout(timer);
      }),
    end,
  };
}

/** If this thread stood still meanwhile, the timer comes before the replies that wait to be read: they are read first. */
function endTheDeafLater(members: readonly Member[]): NodeJS.Timeout {
  const endTheDeaf = () => {
    for (const member of members) member.endIfDeaf();
  };
  return setTimeout(() => setImmediate(endTheDeaf), SHUTDOWN_GRACE_MS);
}

interface Member {
  readonly worker: number;
  readonly thread: Worker;
  readonly ready: Promise<void>;
  readonly done: Promise<WorkerCounts>;
  /** Terminates it if it has not heard that it has to stop. */
  endIfDeaf(): void;
  warnings(): readonly string[];
}

/** @param onFirstDefect called when the first worker fails; returns a function that cancels its timer */
async function allDone(members: readonly Member[], onFirstDefect: () => () => void): Promise<WorkerCounts> {
  const defects: unknown[] = [];
  let cancel: () => void = () => undefined;
  const counts = await Promise.all(
    members.map(({ done }) =>
      done.catch((error: unknown): [] => {
        defects.push(error);
        if (defects.length === 1) cancel = onFirstDefect();
        return [];
      }),
    ),
  );
  cancel();
  if (defects.length > 0) throw defects[0];
  return sumOf(counts.flat());
}

function memberOf(orders: WorkerOrders, onFailure: OnFailure): Member {
  const { worker } = orders;
  const thread = new Worker(entry(), { workerData: orders, execArgv: [] });
  let warnings: readonly string[] = [];
  let hasHeard = false;
  let fail: (error: Error) => void;
  let isReady: () => void;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const done = new Promise<WorkerCounts>((resolve, reject) => {
    fail = reject;
    thread.on('error', (error) => reject(isOutOfMemory(error) ? noMemoryLeft(worker) : error));
    thread.on('messageerror', reject);
    // After `done` this has no effect, because the promise is settled.
    thread.on('exit', (code) => reject(new Error(`worker ${worker} ended by itself (exit ${code})`)));
    thread.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'ready') isReady();
      else if (reply.kind === 'heard') hasHeard = true;
      else if (reply.kind === 'done') {
        warnings = [];
        resolve(reply.counts);
      } else if (reply.kind === 'refused') reject(errorFrom(reply.error));
      else if (reply.kind === 'failure') onFailure(errorFrom(reply.error), reply.reason);
      else warnings = reply.warnings;
    });
  });
  // If startup fails, nobody awaits the other workers: their rejections must not count as unhandled.
  done.catch(() => undefined);
  const endIfDeaf = () => {
    if (hasHeard) return;
    const seconds = SHUTDOWN_GRACE_MS / 1_000;
    fail(new Error(`worker ${worker} did not hear for ${seconds} s that it has to stop: its thread is blocked`));
    void thread.terminate();
  };
  const started = Promise.race([ready, done.then(() => undefined)]);
  return { worker, thread, ready: started, done, endIfDeaf, warnings: () => warnings };
}

const isOutOfMemory = (error: NodeJS.ErrnoException): boolean => error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Node ends a thread whose heap is full, where it would end a process with 134. */
const noMemoryLeft = (worker: number) =>
  new SpillwayError(
    'OUT_OF_MEMORY',
    `worker ${worker} has no memory left, so the run ended: allow more (NODE_OPTIONS=--max-old-space-size=8192), or start fewer journeys at once`,
    ExitCode.toolDefect,
  );

/** Resolved through the package's own imports, so that it is the compiled entry from wherever this code runs. */
const entry = (): string => createRequire(import.meta.url).resolve('#generator-worker');
