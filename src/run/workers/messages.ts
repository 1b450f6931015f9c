import { type ConfigProblem, ConfigurationError, type ExitCode, SpillwayError } from '../../base/index.ts';
import type { EndRecord } from '../../history/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { RunShares } from '../../schedule/index.ts';
import type { FailureReason } from '../interrupts.ts';
import type { Target } from '../target/target.ts';

/** Everything that a worker needs, as plain data, which can be passed to a thread. */
export interface WorkerOrders {
  /** Its number, 1 ≤ worker ≤ workers. */
  readonly worker: number;
  readonly workers: number;
  /** Its `profile.client.connections` is the number for this worker. */
  readonly loaded: LoadedScenario;
  readonly target: Omit<Target, 'begin' | 'probe' | 'close'>;
  readonly runId: string;
  /** Key of message digests; the same for all workers, so that equal texts have equal digests. */
  readonly digestKey: Uint8Array;
  /** Path of the journal, which exists already. */
  readonly journal: string;
  readonly shares: RunShares;
  /** Counters of the profile's budget, for all workers together. */
  readonly spent: SharedArrayBuffer;
  /** One Int32 each; see `OneOfSeveral` in `recorder.ts`. */
  readonly hadToken: SharedArrayBuffer;
  readonly nextDate: SharedArrayBuffer;
  /** See `TokenNumbers`. */
  readonly tokenMemory: SharedArrayBuffer;
}

/** Messages to a worker. */
export type WorkerRequest =
  /** Run time 0, microseconds on the machine's monotonic clock; sent once, when all workers are ready. */
  { readonly kind: 'start'; readonly originUs: number } | { readonly kind: 'stop'; readonly gently: boolean };

/** Messages from a worker. An exception that it throws is a defect of this tool. */
export type WorkerReply =
  /** Its sockets are open. */
  | { readonly kind: 'ready' }
  /** It cannot start. */
  | { readonly kind: 'refused'; readonly error: PlainError }
  /** The run has to stop. The worker continues until it receives `stop`; for a spent budget it has already stopped gently. */
  | { readonly kind: 'failure'; readonly error: PlainError; readonly reason: FailureReason }
  /** It was told to stop at once, and is stopping. */
  | { readonly kind: 'heard' }
  /** Current warnings, whenever they change. */
  | { readonly kind: 'warnings'; readonly warnings: readonly string[] }
  /** Its segment of the plan has ended, and all its records are in the journal. */
  | { readonly kind: 'done'; readonly counts: WorkerCounts };

/** Counts of one worker's segment. */
export type WorkerCounts = Pick<EndRecord, 'arrivals' | 'drops' | 'exchanges' | 'streams'>;

/** An expected error as plain data, because messages between threads do not preserve classes. */
interface PlainError {
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly problems?: readonly ConfigProblem[];
}

export const plainError = (error: SpillwayError): PlainError => ({
  code: error.code,
  message: error.message,
  exitCode: error.exitCode,
  ...(error instanceof ConfigurationError && { problems: error.problems }),
});

export const errorFrom = ({ code, message, exitCode, problems }: PlainError): SpillwayError =>
  problems ? new ConfigurationError(problems) : new SpillwayError(code, message, exitCode);

export const sumOf = (counts: readonly WorkerCounts[]): WorkerCounts => ({
  arrivals: counts.reduce((sum, one) => sum + one.arrivals, 0),
  drops: counts.reduce((sum, one) => sum + one.drops, 0),
  exchanges: counts.reduce((sum, one) => sum + one.exchanges, 0),
  streams: counts.reduce((sum, one) => sum + one.streams, 0),
});
