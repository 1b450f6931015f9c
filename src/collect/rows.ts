import type { Micros } from '../base/index.ts';

/*
 * Rows of the tables beside the summary. Times are whole microseconds; what was not observed is absent.
 */

/** One second of the run, the warm-up included, `intervals.csv`. Counts are 0 where nothing happened; other fields absent where nothing was observed. */
export interface IntervalRow {
  /** Whole second since the run's start: [second, second + 1). */
  readonly second: number;
  /** Journeys that began in it, as far as their ends are recorded. */
  readonly arrivals: number;
  /** Exchanges sent in it. */
  readonly sent: number;
  /** Exchanges that ended in it, by outcome. */
  readonly success: number;
  readonly error: number;
  readonly refused: number;
  readonly failed: number;
  readonly censored: number;
  /** 429s that ended in it, by limit. */
  readonly refusedRate: number;
  readonly refusedConcurrency: number;
  readonly refusedDaily: number;
  readonly refusedUnattributed: number;
  /** Arrivals intended in it that were never started. */
  readonly drops: number;
  /** Times of the exchanges that ended in it with an answer. */
  readonly serviceMeanUs?: Micros;
  readonly serviceMaxUs?: Micros;
  readonly responseMeanUs?: Micros;
  readonly responseMaxUs?: Micros;
  /** Waiting for caps of the exchanges sent in it. */
  readonly capWaitUs: Micros;
  /** Most turns in process at one instant in it. */
  readonly openTurnsCertain: number;
  readonly openTurnsPossible: number;
  /** Bytes of the exchanges that ended in it. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  /** From the health records in it. `eventLoopP99Us` and `backlog` are the highest, `gcUs` and `cpuUs` the sums over workers. */
  readonly eventLoopP99Us?: Micros;
  readonly gcUs?: Micros;
  readonly cpuUs?: Micros;
  readonly backlog?: number;
}

/** One turn, `turns.csv`. */
export interface TurnRow {
  readonly turn: string;
  readonly application?: string;
  readonly user?: string;
  readonly conversation?: string;
  readonly journey?: string;
  readonly arrival?: number;
  /** client_message_id */
  readonly message?: string;
  readonly warmUp: boolean;
  readonly state: 'completed' | 'failed' | 'unfinished';
  /** The server accepted it between these; absent when the acceptance is not in the history. */
  readonly acceptSentAt?: Micros;
  readonly acceptHeadersAt?: Micros;
  /** What showed the end first, and when. */
  readonly finishedBy?: 'poll' | 'stream' | 'message';
  readonly finishedObservedAt?: Micros;
  /** The server finished it between these. `finishedAfter` is absent where no poll saw it open. */
  readonly finishedAfter?: Micros;
  readonly finishedBefore?: Micros;
  readonly seenByPollAt?: Micros;
  readonly seenByStreamAt?: Micros;
  /** finishedObservedAt − acceptHeadersAt */
  readonly completionUs?: Micros;
  /** Bounds of the time that the service took; only if a poll showed the end. */
  readonly completionLeastUs?: Micros;
  readonly completionMostUs?: Micros;
  readonly firstEventUs?: Micros;
  readonly firstDeltaUs?: Micros;
  readonly polls: number;
  readonly streamEvents: number;
  /** The service's own latency_ms. */
  readonly serverLatencyMs?: number;
  readonly regressed: boolean;
}
