import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { SpillwayError } from '../../base/index.ts';
import type { FailureReason } from '../interrupts.ts';
import {
  errorFrom,
  sumOf,
  type WorkerCounts,
  type WorkerOrders,
  type WorkerReply,
  type WorkerRequest,
} from './messages.ts';

/** The threads of one run, all with open sockets. */
export interface Crew {
  /** Tells all when run time 0 was. */
  start(originUs: number): void;
  stop(gently: boolean): void;
  /** What to show of them, each with its worker. */
  warnings(): readonly string[];
  /**
   * Resolves with their sums when all are done.
   * @throws what a worker threw, or that it died, once the others have stopped and what they had is written
   */
  finished(): Promise<WorkerCounts>;
  /** Ends what still runs. */
  end(): Promise<void>;
}

export type Trouble = (error: SpillwayError, reason: FailureReason) => void;

/** Others get so long to write what they have when one died. */
const LAST_WORDS_MS = 5_000;

/** Starts a worker for each of the orders. @throws what keeps one of them from beginning; none is left then */
export async function assemble(orders: readonly WorkerOrders[], onTrouble: Trouble): Promise<Crew> {
  const members = orders.map((one) => memberOf(one, onTrouble));
  const end = async () => {
    await Promise.all(members.map(({ thread }) => thread.terminate()));
  };
  try {
    await Promise.all(members.map(({ ready }) => ready));
  } catch (error) {
    await end();
    throw error;
  }
  const tell = (request: WorkerRequest) => {
    for (const { thread } of members) thread.postMessage(request);
  };
  const stop = (gently: boolean) => tell({ kind: 'stop', gently });
  return {
    start: (originUs) => tell({ kind: 'start', originUs }),
    stop,
    warnings: () => members.flatMap(({ worker, warnings }) => warnings().map((text) => `worker ${worker}: ${text}`)),
    finished: () =>
      allDone(members, () => {
        stop(false);
        const timer = setTimeout(() => void end(), LAST_WORDS_MS);
        return () => clearTimeout(timer);
      }),
    end,
  };
}

interface Member {
  readonly worker: number;
  readonly thread: Worker;
  readonly ready: Promise<void>;
  readonly done: Promise<WorkerCounts>;
  warnings(): readonly string[];
}

/** @param breakOff called when the first one fails; returns what calls it off */
async function allDone(members: readonly Member[], breakOff: () => () => void): Promise<WorkerCounts> {
  const defects: unknown[] = [];
  let callOff: () => void = () => undefined;
  const counts = await Promise.all(
    members.map(({ done }) =>
      done.catch((error: unknown): [] => {
        defects.push(error);
        if (defects.length === 1) callOff = breakOff();
        return [];
      }),
    ),
  );
  callOff();
  if (defects.length > 0) throw defects[0];
  return sumOf(counts.flat());
}

function memberOf(orders: WorkerOrders, onTrouble: Trouble): Member {
  const { worker } = orders;
  const thread = new Worker(entry(), { workerData: orders, execArgv: [] });
  let warnings: readonly string[] = [];
  let isReady: () => void;
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  const done = new Promise<WorkerCounts>((resolve, reject) => {
    thread.on('error', reject);
    thread.on('messageerror', reject);
    // After `done` this says nothing: a promise is settled once.
    thread.on('exit', (code) => reject(new Error(`worker ${worker} ended by itself (exit ${code})`)));
    thread.on('message', (reply: WorkerReply) => {
      if (reply.kind === 'ready') isReady();
      else if (reply.kind === 'done') resolve(reply.counts);
      else if (reply.kind === 'refused') reject(errorFrom(reply.error));
      else if (reply.kind === 'trouble') onTrouble(errorFrom(reply.error), reply.reason);
      else warnings = reply.warnings;
    });
  });
  // Whoever is not asked any more must not count as unheard.
  done.catch(() => undefined);
  return { worker, thread, ready: Promise.race([ready, done.then(() => undefined)]), done, warnings: () => warnings };
}

/** Resolved through the package's own imports, so that it is the compiled entry from wherever this code runs. */
const entry = (): string => createRequire(import.meta.url).resolve('#generator-worker');
