import type { Micros } from '../base/index.ts';
import { microsFromMillis } from '../base/index.ts';
import type { MetricQuery } from '../collect/index.ts';
import type { RoundOf } from '../history/index.ts';
import type { MetricGate } from '../metrics/index.ts';

/*
 * `gates.json`: what became of each gate. Numbers are in the unit of the gate's threshold, which is k6's: times in
 * milliseconds, shares from 0 to 1.
 */

export const GATES_FORMAT = 'spillway-gates';
export const GATES_VERSION = 1;

/** Bounds of the observed value, each with 95 % confidence; an end is absent where the samples carry none. */
export interface ObservedBounds {
  readonly low?: number;
  readonly high?: number;
  /** As in `summary.json`; `clopper-pearson` of a share. */
  readonly method: 'order-statistics' | 'batch-means' | 'clopper-pearson';
}

/** What a gate's samples say. */
export interface Judged {
  readonly state: 'pass' | 'fail' | 'undetermined';
  /** A sentence without a full stop, with the numbers. */
  readonly because: string;
  /** The number that was compared; absent where there is none. */
  readonly observed?: number;
  readonly unit?: 'ms' | 'share' | 'count' | 'bytes' | '1/s';
  /** Samples it rests on; of a share, the whole. */
  readonly samples?: number;
  /** What is asked takes so many; present where there are fewer. */
  readonly needed?: number;
  /** The most extreme percentile that these samples carry; present where the one asked is beyond. */
  readonly carries?: number;
  readonly bounds?: ObservedBounds;
}

/** How the windows of a gate fared. */
export interface WindowsJudged {
  readonly lengthMs: number;
  /** Windows that could be judged, and those of them that failed. */
  readonly judged: number;
  readonly failed: number;
  /** Windows with samples, too few to judge. */
  readonly tooFew: number;
  /** The first that failed, run time; absent when none did. */
  readonly firstFailed?: { readonly fromUs: Micros; readonly toUs: Micros };
}

export interface GateResult extends Judged {
  /** The metric with its tags, or `limit.rate`. */
  readonly metric: string;
  /** What is asked of it: `p(95)<300`, `held`. */
  readonly expression: string;
  /** It failed, or it is undetermined and the gate does not allow that. */
  readonly failsRun: boolean;
  readonly windows?: WindowsJudged;
  /** True when it ended the run (abortOnFail); otherwise absent. */
  readonly stoppedRun?: true;
}

/** The content of `gates.json`. */
export interface GatesDocument {
  readonly format: typeof GATES_FORMAT;
  readonly version: typeof GATES_VERSION;
  /** Identifiers of the runs that were judged as one; the first is the run itself. */
  readonly runs: readonly string[];
  /**
   * Present: it is one round of several, whose gates are judged together (`rounds.json`). Of its own stand here those that ended
   * it, and those of the command line.
   */
  readonly round?: RoundOf;
  /** Whether the histories are whole; a gate over a part of a run says nothing of the rest. */
  readonly complete: boolean;
  /** No gate fails the run; also true where there are no gates. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
}

/** What a series must be asked for these gates, in their order. */
export const gateQueries = (gates: readonly MetricGate[]): MetricQuery[] =>
  gates.map(({ selector, options }) => ({
    ...selector,
    ...(options.window !== undefined && { windowUs: microsFromMillis(options.window) }),
  }));
