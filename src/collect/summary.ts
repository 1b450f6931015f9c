import type { LimitName, OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { CapName, DropRecord, JourneyRecord } from '../history/index.ts';

/*
 * `summary.json`: everything measured in one run, as plain data. Times are integer microseconds. What was not observed is
 * absent, never null and never zero: a count is 0 only where 0 was counted. Warm-up (Header.warmUpUs) is in no number here
 * except where a comment says so.
 */

export const SUMMARY_FORMAT = 'spillway-summary';
export const SUMMARY_VERSION = 1;

/** The percentiles that a summary names. `p999` is the 99.9th. */
export const percentileNames = ['p50', 'p90', 'p95', 'p99', 'p999'] as const;
export type PercentileName = (typeof percentileNames)[number];

/**
 * Between which values the service's percentile lies: each end holds by itself with 95 % confidence, whatever the
 * distribution. An end is absent where the samples carry none: an upper bound of the 90th takes 29, of the 95th 59.
 */
export interface PercentileBounds {
  readonly lowUs?: Micros;
  readonly highUs?: Micros;
  /**
   * `order-statistics`: exact, if samples are independent of one another. `batch-means`: wider than that, because stretches of
   * time differed by more than independent samples do.
   */
  readonly method: 'order-statistics' | 'batch-means';
}

/**
 * A percentile by nearest rank, within HDR precision (3 significant digits); or why it is not told. Percentile p needs at
 * least 1 / (1 − p) samples, so that one sample at the least lies beyond it: p99 needs 100.
 */
export type Percentile =
  | { readonly us: Micros; readonly bounds: PercentileBounds }
  | { readonly tooFew: { readonly have: number; readonly need: number } };

/** How long something took. Exists only with at least one sample: no samples is an absent distribution. */
export interface Distribution {
  /** Samples, ≥ 1. */
  readonly count: number;
  /** Exact. */
  readonly minUs: Micros;
  /** Exact sum by count, rounded to a microsecond. */
  readonly meanUs: Micros;
  /** Exact. */
  readonly maxUs: Micros;
  readonly percentiles: Readonly<Record<PercentileName, Percentile>>;
}

/**
 * What came of an exchange. `success`: a status of success (target profile) and a body that could be used. `error`: any
 * other answer but 429. `refused`: 429. `failed`: no answer. `censored`: the client stopped waiting.
 */
export const outcomeClasses = ['success', 'error', 'refused', 'failed', 'censored'] as const;
export type OutcomeClass = (typeof outcomeClasses)[number];

/**
 * `service`: receivedAt − sentAt. `response`: receivedAt − intendedAt, which also holds what the request waited before it
 * was sent, so that a stall cannot hide itself (coordinated omission).
 */
export interface Latency {
  readonly service: Distribution;
  readonly response: Distribution;
}

export interface OperationSummary {
  /** Exchanges: every attempt. */
  readonly count: number;
  readonly byOutcome: Readonly<Record<OutcomeClass, number>>;
  /** Count per status code; without exchanges that had no answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /**
   * Per outcome, only those that occurred. `answers` is success, error and refused together. Of `censored` it is the time
   * waited: the true latency is longer.
   */
  readonly latency: Readonly<Partial<Record<OutcomeClass | 'answers', Latency>>>;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** 429s by the limit that the error code names (target profile, `errorCodes`). */
  readonly refusedBy: RefusalCounts;
  /** Exchanges with `attempt` above 1. */
  readonly retries: number;
}

export type RefusalCounts = Readonly<Record<LimitName | 'unattributed', number>>;

export interface RefusalSummary {
  readonly total: number;
  /** Of all exchanges, 0 to 1; absent without exchanges. */
  readonly share?: number;
  readonly byLimit: RefusalCounts;
  /** 429s that carried Retry-After. */
  readonly withRetryAfter: number;
  /** Error codes that the profile maps to no limit, at most 20 of them (the first in alphabetical order); `''`: none was sent. */
  readonly unattributedCodes: readonly { readonly code: string; readonly count: number }[];
}

/** An exchange that was neither a success nor a 429. */
export interface ErrorCount {
  readonly operation: OperationId;
  /** `failure`: no answer. `body`: an answer whose body could not be used. `status`: a status other than success. */
  readonly kind: 'failure' | 'body' | 'status';
  /** `ECONNRESET`, `deadline`, `not-json`, `500`, … */
  readonly what: string;
  readonly count: number;
}

export interface MessageSummary {
  /** Exchanges of sendMessage, every attempt. */
  readonly attempts: number;
  /** Those answered with success, or with a turn. */
  readonly accepted: number;
  /** Distinct accepted (conversation, client_message_id, content). */
  readonly newMessages: number;
  /** Accepted again under the same id with the same content. */
  readonly replays: number;
  /** Messages of which an attempt had no answer, and none was accepted: each may have been. */
  readonly unknown: number;
}

/** Distinct new messages accepted in one UTC day of the service's clock, by sentAt; those of the warm-up spent quota too. */
/**
 * The UTC day of the service's clock in which the most new messages were accepted of one of those for whom the quota is counted
 * (target profile, `limits.daily.scope`): what stands against the quota. The warm-up is included, since the service counted it.
 */
export interface FullestDay {
  /** As `FullestWindow.of`. */
  readonly of: string;
  /** How many of these there were. */
  readonly among: number;
  /** `2026-11-21` */
  readonly day: string;
  /** Distinct new messages accepted. */
  readonly used: number;
}

export interface DailyUse {
  /** `2026-11-21` */
  readonly day: string;
  readonly application: string;
  readonly used: number;
}

/** Requests that count towards the rate limit, in one minute of the service's clock, by sentAt; the warm-up included. */
export interface MinuteUse {
  /** Start of the minute, ISO 8601: `2026-11-21T12:00:00.000Z`. */
  readonly minute: string;
  /** Answered, neither 429 nor 401. */
  readonly admitted: number;
  /** 429s attributed to the rate limit. */
  readonly refused: number;
}

/**
 * The window of the rate limit's length, aligned to the service's clock, in which the most requests were admitted of one of
 * those for whom the limit is counted (target profile, `limits.rate.scope`): what stands against the limit's maximum.
 */
export interface FullestWindow {
  /** `bucketOf` of the scope that the profile declares; empty where all are counted together. */
  readonly of: string;
  /** How many of these there were. */
  readonly among: number;
  /** ISO 8601 */
  readonly start: string;
  readonly windowUs: Micros;
  /** Answered, neither 429 nor 401. */
  readonly admitted: number;
  /** The most that were admitted or refused by the rate limit, in whichever of these windows. */
  readonly mostAsked: number;
}

export interface TurnSummary {
  readonly accepted: number;
  readonly completed: number;
  /** The service said so. */
  readonly failed: number;
  /** Not seen to finish. */
  readonly unfinished: number;
  /** Seen open after having been seen finished. */
  readonly regressed: number;
  readonly polls: number;
  /**
   * From the acceptance (headers of the 202) to the moment at which completion was first observed, completed turns only.
   */
  readonly completion?: Distribution;
  /** The same, of turns whose completion the stream told (exact), and of those that a poll told. */
  readonly completionByStream?: Distribution;
  readonly completionByPoll?: Distribution;
  /**
   * The least and the most that the service can have taken, of turns whose completion a poll told: completion lies between
   * the sending of the last poll that saw the turn open and the answer of the first that saw it finished.
   */
  readonly completionBounds?: { readonly shortest: Distribution; readonly longest: Distribution };
  /** From the acceptance to the first event of the stream, and to the first delta of the answer. */
  readonly firstEvent?: Distribution;
  readonly firstDelta?: Distribution;
  /** How much later the poll told than the stream, of turns followed by both; 0 where the poll was first. */
  readonly pollAfterStream?: Distribution;
  /** The service's own metadata.latency_ms, in microseconds. */
  readonly serverLatency?: Distribution;
  readonly open: OpenTurns;
}

/** Turns in process at once, after the warm-up (turns of the warm-up that were still open count). */
export interface OpenTurns {
  /** At some instant at least this many were in process. */
  readonly maxCertain: number;
  /** At no instant more than this many of the accepted turns were; messages without an answer come on top. */
  readonly maxPossible: number;
  /** The same of the one who had the most, of those for whom the limit is counted (`limits.concurrency.scope`); absent where none were open. */
  readonly fullest?: {
    /** Label of the application, user or conversation. */
    readonly of: string;
    /** How many of these there were. */
    readonly among: number;
    readonly maxCertain: number;
    readonly maxPossible: number;
  };
}

export interface CapWaitSummary {
  /** Exchanges that waited. */
  readonly count: number;
  readonly totalUs: Micros;
  readonly maxUs: Micros;
}

export interface JourneySummary {
  /** `stopped` and `interrupted` journeys are in no duration: it is not known how long they would have taken. */
  readonly byOutcome: Readonly<Record<JourneyRecord['outcome'], number>>;
  readonly duration?: Distribution;
  readonly stoppedAt: readonly { readonly operation: OperationId; readonly because: string; readonly count: number }[];
}

export interface UnmetExpectation {
  /** Number of the exchange, of its worker's. */
  readonly seq: number;
  /** Absent of the first worker, or the only one. */
  readonly worker?: number;
  readonly operation: OperationId;
  readonly sentence: string;
}

export interface ExpectationSummary {
  readonly checked: number;
  readonly unmet: number;
  /** True where journeys that expect something were begun, and no answer came that could be checked; absent elsewhere. */
  readonly neverChecked?: true;
  /** The earliest ten. */
  readonly examples: readonly UnmetExpectation[];
}

/** The generator's own condition: whether its numbers can be trusted. */
export interface GeneratorHealth {
  /** Health records; 0 where the history has none (then only `scheduleLag` is known). */
  readonly intervals: number;
  /**
   * Where the generator, not the service, set what was measured; empty when nowhere, absent where the history does not say
   * what is allowed.
   */
  readonly bottlenecks?: readonly Bottleneck[];
  /** Whether such a run is invalid. */
  readonly enforced?: boolean;
  /** The median, over the intervals, of the event loop's median delay; of several workers, the worst one's. */
  readonly eventLoopTypicalUs?: Micros;
  /** Highest 99th percentile of the event loop's delay in one interval. */
  readonly eventLoopP99MaxUs?: Micros;
  /** CPU time by wall time, of one worker; 1 is one core busy all the time. */
  readonly cpuShareMean?: number;
  /** The highest of an interval of at least half a second. */
  readonly cpuShareMax?: number;
  readonly gcUs?: Micros;
  /** The longest pause of garbage collection. */
  readonly gcMaxUs?: Micros;
  /** Records not yet on disk, the most at the end of one interval. */
  readonly backlogMax?: number;
  /** Requests that waited for a free connection, the most at once. */
  readonly connectionQueueMax?: number;
  /** Connections that were ended because something came on them that no request had asked for; absent when none was. */
  readonly unasked?: number;
  /**
   * sentAt − intendedAt − waits for caps: how late the generator itself was. Polls are left out: a poll may have to wait
   * for the answer of the one before, which is the service's doing.
   */
  readonly scheduleLag?: Distribution;
  /** How many workers sent; absent for one. */
  readonly workers?: number;
  /** Beside `workers`: of the one that was the latest on average. What it may be is held against this. */
  readonly worstLag?: { readonly worker: number; readonly scheduleLag: Distribution };
}

/** How the generator fell short; times are those observed and those allowed. */
export type Bottleneck =
  /** Requests left late by its own fault: a percentile of the schedule lag. */
  | { readonly what: 'lag'; readonly percentile: 'p50' | 'p99'; readonly us: Micros; readonly allowedUs: Micros }
  /** Its event loop was late most of the time: answers lay unread, and read as latency. */
  | { readonly what: 'event-loop'; readonly us: Micros; readonly allowedUs: Micros }
  /** Arrivals were due and not started in time, and so never sent anything. */
  | { readonly what: 'late-drops'; readonly count: number; readonly of: number; readonly allowedShare: number }
  /** Its machine had no more files, ports or memory. */
  | { readonly what: 'local-failure'; readonly failure: string; readonly count: number };

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
  /** The end's instant; of an incomplete history, the last instant recorded. */
  readonly durationUs: Micros;
  readonly warmUpUs: Micros;
  readonly complete: boolean;
  /**
   * Absent when complete: `interrupted`, `deadline`, `disk`; `no-end` when the last line is missing, `lines-lost` when
   * exchanges are missing, `lines-doubled` when some stand twice (the numbers count them twice; check/ uses neither).
   */
  readonly incompleteBecause?: string;
  /** Arrivals, dropped ones included; of a history without an end, as many as its records speak of. */
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
}

export interface DeclaredLimits {
  readonly rate: { readonly max: number; readonly windowUs: Micros };
  readonly concurrency: { readonly max: number };
  readonly daily: { readonly max: number };
}

/** The content of `summary.json`. */
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
  /** Caps that made something wait. */
  readonly capWaits: Readonly<Partial<Record<CapName, CapWaitSummary>>>;
  readonly drops: {
    readonly total: number;
    readonly byReason: Readonly<Partial<Record<DropRecord['reason'], number>>>;
  };
  /** By name of the journey. */
  readonly journeys: Readonly<Record<string, JourneySummary>>;
  readonly expectations: ExpectationSummary;
  readonly health: GeneratorHealth;
}
