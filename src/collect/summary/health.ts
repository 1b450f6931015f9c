import type { Micros } from '../../base/index.ts';
import type { Distribution } from './exchanges.ts';

/** The generator's own health, which decides whether its measurements can be trusted. */
export interface GeneratorHealth {
  /** Health records; 0 where the history has none (then only `scheduleLag` is known). */
  readonly intervals: number;
  /** Where the generator, not the service, determined the result; empty if nowhere, absent if the history has no thresholds. */
  readonly bottlenecks?: readonly Bottleneck[];
  /** Whether such a run is invalid. */
  readonly enforced?: boolean;
  /** The median, over the intervals, of the event loop's median delay; with several workers, the worst one's. */
  readonly eventLoopTypicalUs?: Micros;
  /**
   * How long an answer that arrives at any instant waits on average until the event loop reads it; with several workers, at the
   * worst one. Standstills show here, which the median does not see, and which users of a closed model hide: they send nothing then.
   * Absent if the loop was watched for less than three seconds.
   */
  readonly eventLoopWaitUs?: Micros;
  /** Highest 99th percentile of the event loop's delay in one interval. */
  readonly eventLoopP99MaxUs?: Micros;
  /** Its longest delay: how long the generator stood still at most. */
  readonly eventLoopMaxUs?: Micros;
  /**
   * Answers and failures that may have been there before they were read, because the generator stood still: `count` of `of`, by up to
   * `maxUs`. `decisive`: of those, the ones for which that is more than the allowed delay of the event loop, and more than the rest
   * of their measured time. Absent if there were none.
   */
  readonly lateReads?: {
    readonly count: number;
    readonly decisive: number;
    readonly of: number;
    readonly maxUs: Micros;
  };
  /** CPU time divided by wall time, for one worker; 1 is one core busy all the time. */
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
  /** Connections closed because bytes arrived that no request had asked for; absent if none. */
  readonly unasked?: number;
  /**
   * How late the generator itself was: sentAt − intendedAt − waits for caps except `pace`; of a request for which a token was
   * issued meanwhile, after that. Without polls and resends: they may have to wait for an answer, which is the service's doing.
   */
  readonly scheduleLag?: Distribution;
  /** How many workers sent; absent for one. */
  readonly workers?: number;
  /** With `workers`: the worker with the highest average lag. Its lag is compared with the thresholds. */
  readonly worstLag?: { readonly worker: number; readonly scheduleLag: Distribution };
}

/** How the generator fell short, with observed and allowed times. */
export type Bottleneck =
  /** Requests left late through its own fault: a percentile of the schedule lag. */
  | { readonly what: 'lag'; readonly percentile: 'p50' | 'p99'; readonly us: Micros; readonly allowedUs: Micros }
  /** Its event loop was late most of the time: unread answers count as latency. */
  | { readonly what: 'event-loop'; readonly us: Micros; readonly allowedUs: Micros }
  /** Its event loop stood still for so long that unread answers waited, on average over the run. */
  | { readonly what: 'standstill'; readonly us: Micros; readonly allowedUs: Micros }
  /** So many answers were read late that they, not the service, determine the higher percentiles. */
  | { readonly what: 'late-reads'; readonly count: number; readonly of: number; readonly allowedShare: number }
  /** Arrivals were due, were not started in time, and never sent anything. */
  | { readonly what: 'late-drops'; readonly count: number; readonly of: number; readonly allowedShare: number }
  /** Its machine had no more files, ports or memory. */
  | { readonly what: 'local-failure'; readonly failure: string; readonly count: number };
