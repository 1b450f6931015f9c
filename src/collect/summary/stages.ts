import type { Micros } from '../../base/index.ts';
import type { StageRecord } from '../../history/index.ts';
import type { Distribution, Latency, OutcomeClass, RefusalCounts } from './exchanges.ts';
import type { CapWaitSummary } from './use.ts';

/** The result of each stage of a plan: each stair, ramp or phase. */

/**
 * `held`: every arrival started, every journey completed, nothing was refused or failed, and the service did not fall behind.
 * `gave-in`: something was refused or failed, a journey stopped, or the service fell behind. `untold`: undecided, because something
 * planned was dropped, delayed beyond the stage or cut off, because the stage was too short, or because nothing was sent.
 */
export const stageStates = ['held', 'gave-in', 'untold'] as const;
export type StageState = (typeof stageStates)[number];

/**
 * One stage. Counts cover what was intended in it (journeys: by their arrival), without the warm-up; rates cover what ended in its
 * measured time.
 */
export interface StageSummary extends StageRecord {
  /** How much of it was measured: without the warm-up, and without the part after the end of a run cut short. */
  readonly measuredUs: Micros;
  readonly state: StageState;
  /**
   * Only if the service fell behind: requests that should have been sent and were not answered, whichever stage they were intended in, at
   * the half of the measured time and at its end. Waiting for the scenario's own caps postpones when a request should be sent.
   */
  readonly behind?: { readonly half: number; readonly end: number };
  /** Only if turns became more throughout the second half: turns certainly in process at the half and at the end. */
  readonly turnsBehind?: { readonly half: number; readonly end: number };
  /** Most requests or turns of its first eighth took longer than half of it, so whether the service kept up cannot be seen. */
  readonly tooShort?: true;
  /** Journeys whose ends are recorded, and dropped arrivals; in a complete run, all that were planned. */
  readonly arrivals: number;
  readonly dropped: number;
  readonly journeys: { readonly completed: number; readonly stopped: number; readonly interrupted: number };
  readonly exchanges: number;
  readonly byOutcome: Readonly<Record<OutcomeClass, number>>;
  /** Of those censored, the ones that the end of the run cut off, which is not the service's; absent: none. */
  readonly cutOff?: number;
  /** Exchanges that left after the stage's end because the generator stood still; absent: none. */
  readonly sentLate?: number;
  /** See `OperationSummary`. */
  readonly expectedErrors?: number;
  readonly refusedBy: RefusalCounts;
  /** 429s, and failures, of all exchanges, 0 to 1; absent without exchanges. */
  readonly refusedShare?: number;
  readonly failedShare?: number;
  /**
   * Journeys completed and successes received within the measured time, whichever stage (or the warm-up) they began in, per minute of
   * `measuredUs`; absent if that is 0.
   */
  readonly perMinute?: { readonly completedJourneys: number; readonly successes: number };
  /** Of successes, all operations together; absent without any. */
  readonly latency?: Latency;
  /**
   * Waiting for the scenario's own `caps`. `sentLater`: exchanges delayed beyond the stage's end, so that it was never under the
   * planned load. Absent if nothing waited.
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

/** Where a rising load first became too high, by counts alone. */
export interface Knee {
  /** First and last of the stages examined: the longest sequence in which the load only rises. */
  readonly from: string;
  readonly to: string;
  /** The last stage that held before the first that gave in; absent if none held. */
  readonly held?: string;
  /** The first stage that gave in; absent if none did. */
  readonly gaveIn?: string;
  /** Stages before that one (before the end, if none gave in) that could not be judged. */
  readonly untold: readonly string[];
  /** Later stages that held although an earlier one gave in. */
  readonly heldAgain: readonly string[];
  /**
   * The stage that gave in is shorter than the rate limit's window and was refused by that limit: requests of earlier stages
   * count in it, so its own rate is not the one that the limit forbids.
   */
  readonly withinWindow?: true;
}

/** Whether so much of a stage left only after its end (a twentieth) that it was not under the planned load. */
export const wasSentLate = ({ sentLate = 0, exchanges }: Pick<StageSummary, 'sentLate' | 'exchanges'>): boolean =>
  sentLate > exchanges / 20;
