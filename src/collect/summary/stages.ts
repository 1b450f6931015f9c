import type { Micros } from '../../base/index.ts';
import type { StageRecord } from '../../history/index.ts';
import type { Distribution, Latency, OutcomeClass, RefusalCounts } from './exchanges.ts';
import type { CapWaitSummary } from './use.ts';

/* What came of each stage of a plan: each stair, ramp or phase. */

/**
 * `held`: every arrival was started, every journey reached its end, and nothing was refused or failed. `gave-in`: something was
 * refused or failed, or a journey stopped. `untold`: neither can be said, as not all of it was asked, or nothing was answered.
 */
export const stageStates = ['held', 'gave-in', 'untold'] as const;
export type StageState = (typeof stageStates)[number];

/** One stage. Counts are of what was intended in it (of journeys, at their arrival), the warm-up left out. */
export interface StageSummary extends StageRecord {
  /** How much of it was measured: the warm-up left out, and what came after the end of a run that was cut short. */
  readonly measuredUs: Micros;
  readonly state: StageState;
  /** Journeys whose ends are recorded, and arrivals that were dropped: of a complete run, all that were planned. */
  readonly arrivals: number;
  readonly dropped: number;
  readonly journeys: { readonly completed: number; readonly stopped: number; readonly interrupted: number };
  readonly exchanges: number;
  readonly byOutcome: Readonly<Record<OutcomeClass, number>>;
  /** As `OperationSummary`. */
  readonly expectedErrors?: number;
  readonly refusedBy: RefusalCounts;
  /** 429s, and failures, of all exchanges, 0 to 1; absent without exchanges. */
  readonly refusedShare?: number;
  readonly failedShare?: number;
  /** By what was measured of it; absent where that is nothing. Successes of the last stage are those intended before its planned end. */
  readonly perMinute?: { readonly completedJourneys: number; readonly successes: number };
  /** Of successes, all operations together; absent without any. */
  readonly latency?: Latency;
  /**
   * Waiting for ceilings that the scenario sets (`caps`); `sentLater` were held back beyond the stage's end, so that it was never under
   * the load that was planned. Absent where nothing waited.
   */
  readonly heldBack?: CapWaitSummary & { readonly sentLater: number };
  /** Turns whose messages were intended in it; absent where none was accepted. */
  readonly turns?: {
    readonly accepted: number;
    readonly completed: number;
    readonly failed: number;
    readonly unfinished: number;
    readonly completion?: Distribution;
  };
}

/** Where a rising load was first too much, by counts alone. */
export interface Knee {
  /** The stages of which it is told, in which the load only rises: the longest such run of them. */
  readonly from: string;
  readonly to: string;
  /** The last one that held before the first that gave in; absent where none did. */
  readonly held?: string;
  /** The first stage that gave in; absent if none did. */
  readonly gaveIn?: string;
  /** Before that one (before the end, where none gave in), those of which nothing can be said. */
  readonly untold: readonly string[];
  /** Later stages that held although an earlier one gave in. */
  readonly heldAgain: readonly string[];
  /**
   * The one that gave in is shorter than the rate limit's window and was refused by that limit: what the stages before it sent counts
   * in it, so that its own rate is not what the limit forbids.
   */
  readonly withinWindow?: true;
}
