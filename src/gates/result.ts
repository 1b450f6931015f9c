import type { Micros } from '../base/index.ts';
import { microsFromMillis } from '../base/index.ts';
import type { MetricQuery } from '../collect/index.ts';
import type { RoundOf } from '../history/index.ts';
import { type MetricGate, windowText } from '../metrics/index.ts';
import type { Unit } from './units.ts';

/*
 * The format of `gates.json`, the results of the gates. Numbers are in the unit of the gate's threshold, as in k6: times in
 * milliseconds, shares from 0 to 1.
 */

export const GATES_FORMAT = 'spillway-gates';
export const GATES_VERSION = 1;

/** Bounds of the observed value, each with 95 % confidence; an end is absent if the samples do not bound it. */
export interface ObservedBounds {
  readonly low?: number;
  readonly high?: number;
  /** As in `summary.json`; for a share `clopper-pearson` instead of `order-statistics`. */
  readonly method: 'order-statistics' | 'batch-means' | 'clopper-pearson';
}

/** Result of judging a gate's samples. */
export interface Judged {
  readonly state: 'pass' | 'fail' | 'undetermined';
  /** A sentence without a full stop, with the numbers. */
  readonly because: string;
  /** The number that was compared; absent if there is none. */
  readonly observed?: number;
  readonly unit?: Unit;
  /** Number of samples; for a share, its denominator. */
  readonly samples?: number;
  /** Number of samples that the expression needs; present if there are fewer. */
  readonly needed?: number;
  /** The most extreme percentile that these samples support; present if the requested one is beyond it. */
  readonly carries?: number;
  readonly bounds?: ObservedBounds;
}

/** Counts of the windows of a gate. */
export interface WindowsJudged {
  readonly lengthMs: number;
  /** Windows that could be judged; of consecutive ones with the same samples one. */
  readonly judged: number;
  /** Judged windows that failed. */
  readonly failed: number;
  /** Windows with samples, but too few to judge. */
  readonly tooFew: number;
  /** The first window that failed, in run time, and the id of its run if several were judged; absent if none did. */
  readonly firstFailed?: { readonly fromUs: Micros; readonly toUs: Micros; readonly runId?: string };
}

export interface GateResult extends Judged {
  /** The metric with its tags, or `limit.rate`. */
  readonly metric: string;
  /** The requirement: `p(95)<300`, `held`. */
  readonly expression: string;
  /** Whether it failed, or is undetermined and the gate does not allow that. */
  readonly failsRun: boolean;
  readonly windows?: WindowsJudged;
  /** Present if it ended the run (abortOnFail). */
  readonly stoppedRun?: true;
}

type Named = Pick<GateResult, 'metric' | 'expression'> & { readonly windows?: Pick<WindowsJudged, 'lengthMs'> };

/** `p(95)<300 in windows of 30 s`. Windows may be all that distinguishes two gates. */
export const demandShown = ({ expression, windows }: Omit<Named, 'metric'>): string =>
  `${expression}${windowText(windows?.lengthMs)}`;

/** The name of a gate: `http_req_duration: p(95)<300 in windows of 30 s`. */
export const gateShown = (gate: Named): string => `${gate.metric}: ${demandShown(gate)}`;

/** The content of `gates.json`. */
export interface GatesDocument {
  readonly format: typeof GATES_FORMAT;
  readonly version: typeof GATES_VERSION;
  /** Ids of the runs that were judged together; the first is the run itself. */
  readonly runs: readonly string[];
  /**
   * Present if the run is one round of several, whose gates are judged together in `rounds.json`. This document then has only the
   * gates that ended the run and those of the command line.
   */
  readonly round?: RoundOf;
  /** Whether the histories are complete. If not, the gates cover only a part of the run. */
  readonly complete: boolean;
  /** Whether no gate fails the run; true if there are no gates. */
  readonly passed: boolean;
  readonly gates: readonly GateResult[];
}

/** The queries that a series needs for these gates, in the same order. */
export const gateQueries = (gates: readonly MetricGate[]): MetricQuery[] =>
  gates.map(({ selector, options }) => ({
    ...selector,
    ...(options.window !== undefined && { windowUs: microsFromMillis(options.window) }),
  }));
