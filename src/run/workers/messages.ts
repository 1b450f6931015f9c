import type { Credentials } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, type ExitCode, SpillwayError } from '../../base/index.ts';
import type { GatewayHeaders, LoadedScenario } from '../../scenario/index.ts';
import type { RunShares } from '../../schedule/index.ts';
import type { FailureReason } from '../interrupts.ts';

/** All that a worker needs to know; plain data, so that it can be handed to a thread. */
export interface WorkerOrders {
  /** Its number, 1 ≤ worker ≤ workers. */
  readonly worker: number;
  readonly workers: number;
  /** Its client's connections are this worker's own. */
  readonly loaded: LoadedScenario;
  readonly target: {
    readonly kind: 'embedded' | 'remote';
    readonly baseUrl: string;
    readonly credentials: ReadonlyMap<string, Extract<Credentials, { kind: 'basic' }>>;
    readonly gateway: GatewayHeaders;
    readonly serviceRate: number;
    readonly followsDate: boolean;
  };
  readonly runId: string;
  /** Key of message digests: the same for all, so that digests of one text are alike. */
  readonly digestKey: Uint8Array;
  /** Path of the journal, which is there. */
  readonly journal: string;
  readonly shares: RunShares;
  /** What of the profile's budget is spent, by all workers together. */
  readonly spent: SharedArrayBuffer;
  /** One Int32 each, as the guards of `recorder` take them. */
  readonly hadToken: SharedArrayBuffer;
  readonly nextDate: SharedArrayBuffer;
}

/** What a worker is told. */
export type WorkerRequest =
  /** Run time 0, microseconds on the machine's monotonic clock; once, after all are ready. */
  { readonly kind: 'start'; readonly originUs: number } | { readonly kind: 'stop'; readonly gently: boolean };

/** What a worker tells. An exception that it throws is a defect of ours. */
export type WorkerReply =
  /** Its sockets are open. */
  | { readonly kind: 'ready' }
  /** It cannot begin. */
  | { readonly kind: 'refused'; readonly error: PlainError }
  /** The run has to stop; the worker itself goes on until it is told to. */
  | { readonly kind: 'trouble'; readonly error: PlainError; readonly reason: FailureReason }
  /** What a person who watches should know now, each time that it changes. */
  | { readonly kind: 'warnings'; readonly warnings: readonly string[] }
  /** Its part of the plan is over, and all of it is in the journal. */
  | { readonly kind: 'done'; readonly counts: WorkerCounts };

/** Of its part. */
export interface WorkerCounts {
  readonly arrivals: number;
  readonly drops: number;
  readonly exchanges: number;
  readonly streams: number;
}

/** A foreseen error on its way between threads, which keep nothing of a class. */
export interface PlainError {
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
