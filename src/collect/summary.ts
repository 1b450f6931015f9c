import type { OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { CapName, DropRecord, JourneyRecord } from '../history/index.ts';
import type { Distribution, ErrorCount, OperationSummary, RefusalSummary } from './summary/exchanges.ts';
import type { GeneratorHealth } from './summary/health.ts';
import type { Knee, StageSummary } from './summary/stages.ts';
import type {
  CapWaitSummary,
  DailyUse,
  FullestDay,
  FullestWindow,
  MessageSummary,
  MinuteUse,
  TurnSummary,
} from './summary/use.ts';

/*
 * `summary.json`: everything measured in one run, as plain data. Times are integer microseconds. What was not observed is
 * absent, never null and never zero: a count is 0 only where 0 was counted. Warm-up (Header.warmUpUs) is in no number here
 * except where a comment says so.
 */

export * from './summary/exchanges.ts';
export * from './summary/health.ts';
export * from './summary/stages.ts';
export * from './summary/use.ts';

export const SUMMARY_FORMAT = 'spillway-summary';
export const SUMMARY_VERSION = 1;

/** How a journey ends. */
export const journeyOutcomes = ['completed', 'stopped', 'interrupted'] as const satisfies JourneyRecord['outcome'][];

export interface JourneySummary {
  /** `stopped` and `interrupted` journeys are in no duration: how long they would have taken is unknown. */
  readonly byOutcome: Readonly<Record<JourneyRecord['outcome'], number>>;
  readonly duration?: Distribution;
  readonly stoppedAt: readonly { readonly operation: OperationId; readonly because: string; readonly count: number }[];
}

export interface UnmetExpectation {
  /** Sequence number of the exchange within its worker. */
  readonly seq: number;
  /** Number of the worker, from 1; absent if there is only one. */
  readonly worker?: number;
  readonly operation: OperationId;
  readonly sentence: string;
}

export interface ExpectationSummary {
  readonly checked: number;
  readonly unmet: number;
  /** True if journeys with expectations started but no answer could be checked; absent otherwise. */
  readonly neverChecked?: true;
  /** The earliest ten. */
  readonly examples: readonly UnmetExpectation[];
}

/** Why a run may end before its time as its scenario, a gate or the profile's budget says. Then no line is missing. */
export const plannedEnds: ReadonlySet<string> = new Set(['deadline', 'gate', 'budget']);

export interface RunFacts {
  readonly runId: string;
  readonly scenario: string;
  readonly seed: number;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly tool: string;
  readonly node: string;
  /** Target profile's name. */
  readonly target?: string;
  /** Base address of the service; absent for the embedded sandbox. */
  readonly address?: string;
  /** The end's instant; of a history without one, the last instant recorded. */
  readonly durationUs: Micros;
  readonly warmUpUs: Micros;
  readonly complete: boolean;
  /**
   * Absent when complete: the reason in the end record (`EndRecord`); `no-end` when the last line is missing, `lines-lost` when
   * records are missing, `lines-unreadable` when lines are damaged, `lines-doubled` when some stand twice (the numbers count them
   * twice; check/ uses neither).
   */
  readonly incompleteBecause?: string;
  /** Arrivals, dropped ones included; for a history without an end, as many as its records mention. */
  readonly arrivals: number;
  /** Exchanges recorded, warm-up included. */
  readonly exchanges: number;
  /** Of these, in the warm-up; and the new messages that it spent. */
  readonly warmUp: { readonly exchanges: number; readonly newMessages: number };
  readonly streamRecords: number;
  /** Requests sent, as far as known, without a recorded end: each may have been admitted. */
  readonly inFlightAtEnd: number;
  /** Sequence numbers that no line mentions: lines that were lost. */
  readonly missingSeq: number;
  /** `recorded`: the journal has clock records. `assumed`: the service's clock was taken to be the generator's. */
  readonly serviceClock: 'recorded' | 'assumed';
  /** Service seconds per run second, of a clock that runs visibly faster or slower; absent otherwise. */
  readonly clockRate?: number;
}

export interface DeclaredLimits {
  readonly rate: { readonly max: number; readonly windowUs: Micros };
  readonly concurrency: { readonly max: number };
  readonly daily: { readonly max: number };
}

/** The content of `summary.json`, except why the run is invalid, which report/ adds as `run.invalid`. */
export interface Summary {
  readonly format: typeof SUMMARY_FORMAT;
  readonly version: typeof SUMMARY_VERSION;
  readonly run: RunFacts;
  /** As the header declares them; absent without a header. */
  readonly limits?: DeclaredLimits;
  /** All operations together; then those that occurred, in the order of the API's table. */
  readonly total: OperationSummary;
  readonly operations: Readonly<Partial<Record<OperationId, OperationSummary>>>;
  readonly refusals: RefusalSummary;
  /** Sorted by operation, kind and what. */
  readonly errors: readonly ErrorCount[];
  readonly messages: MessageSummary;
  readonly turns: TurnSummary;
  /** In order of time; minutes without requests are left out. */
  readonly serviceMinutes: readonly MinuteUse[];
  /** Absent without requests that count towards the rate limit. */
  readonly fullestWindow?: FullestWindow;
  readonly dailyQuota: readonly DailyUse[];
  /** Absent where no message was accepted. */
  readonly fullestDay?: FullestDay;
  /** Caps that delayed requests. */
  readonly capWaits: Readonly<Partial<Record<CapName, CapWaitSummary>>>;
  readonly drops: {
    readonly total: number;
    readonly byReason: Readonly<Partial<Record<DropRecord['reason'], number>>>;
  };
  /** By name of the journey. */
  readonly journeys: Readonly<Record<string, JourneySummary>>;
  /** In the order of time; absent if the plan has only one stage or the history has none. */
  readonly stages?: readonly StageSummary[];
  /** Absent if no load rises. */
  readonly knee?: Knee;
  readonly expectations: ExpectationSummary;
  readonly health: GeneratorHealth;
}
