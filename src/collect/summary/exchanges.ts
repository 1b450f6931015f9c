import { limitNames, type OperationId } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

/** How long exchanges took, and their outcomes. */

/** The percentiles that a summary names. `p999` is the 99.9th. */
export const percentileNames = ['p50', 'p90', 'p95', 'p99', 'p999'] as const;
export type PercentileName = (typeof percentileNames)[number];

/**
 * The values between which the service's percentile lies: each end holds by itself with 95 % confidence, whatever the
 * distribution. An end is absent if there are too few samples: an upper bound of the 90th needs 29, of the 95th 59.
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
 * A percentile by nearest rank, within HDR precision (3 significant digits); or why it is not given. Percentile p needs at least
 * 1 / (1 − p) samples, so that at least one sample lies beyond it: p99 needs 100.
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
 * The outcome of an exchange. `success`: a success status (target profile) and a usable body. `error`: any other answer but a refusal.
 * `refused`: 429, or as the profile says. `failed`: no answer. `censored`: the client stopped waiting.
 */
export const outcomeClasses = ['success', 'error', 'refused', 'failed', 'censored'] as const;
export type OutcomeClass = (typeof outcomeClasses)[number];

/**
 * `service`: receivedAt − sentAt. `response`: receivedAt − intendedAt, which includes waiting before the request was sent, so
 * that a stall stays visible (coordinated omission).
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
   * By outcome, only those that occurred. `answers` is success, error and refused together. For `censored` it is the time waited:
   * the true latency is longer.
   */
  readonly latency: Readonly<Partial<Record<OutcomeClass | 'answers', Latency>>>;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** 429s by the limit that the error code names (target profile, `errorCodes`). */
  readonly refusedBy: RefusalCounts;
  /** Exchanges with `attempt` above 1. */
  readonly retries: number;
  /** Errors with a status that the step expects, and no expectation unmet; absent if there are none. */
  readonly expectedErrors?: number;
}

/** Exchanges that failed: what `http_req_failed` counts. */
export const failuresIn = ({ byOutcome, expectedErrors = 0 }: Pick<OperationSummary, 'byOutcome' | 'expectedErrors'>) =>
  byOutcome.error - expectedErrors + byOutcome.failed + byOutcome.censored;

/** What a 429 is attributed to: the limit that its error code names, or none. */
export const attributions = [...limitNames, 'unattributed'] as const;
export type Attribution = (typeof attributions)[number];

export type RefusalCounts = Readonly<Record<Attribution, number>>;

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

/** An exchange that is neither a success, nor a 429, nor expected by the step. */
export interface ErrorCount {
  readonly operation: OperationId;
  /** `failure`: no answer. `body`: an answer whose body could not be used. `status`: a status other than success. */
  readonly kind: 'failure' | 'body' | 'status';
  /** `ECONNRESET`, `deadline`, `not-json`, `500`, … */
  readonly what: string;
  readonly count: number;
}
