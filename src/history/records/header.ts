import type { LimitName } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

export const HISTORY_FORMAT = 'spillway-history';
export const HISTORY_VERSION = 1;

/** First line: what was run, against what, and what the judge may assume. */
export interface Header {
  readonly kind: 'header';
  readonly format: typeof HISTORY_FORMAT;
  readonly version: typeof HISTORY_VERSION;
  readonly runId: string;
  /** ISO 8601, UTC: the wall clock at run time 0. */
  readonly startedAt: string;
  readonly scenario: string;
  readonly seed: number;
  /** The resolved target profile, without secrets. */
  readonly profile: unknown;
  /** Gates by metric, each with its threshold and options; what `readGates` of metrics/ reads. */
  readonly gates: unknown;
  /** Digest of what was planned, whatever its name: journeys, load, caps, policies, users and data. Absent in older journals. */
  readonly plan?: string;
  /** Exchanges with `intendedAt` before this are warm-up: recorded and judged, but in no metric. */
  readonly warmUpUs: Micros;
  readonly limits: {
    readonly rate: { readonly max: number; readonly windowUs: Micros; readonly reading: string };
    readonly concurrency: { readonly max: number };
    readonly daily: { readonly max: number };
  };
  readonly clock: {
    readonly driftPpm: number;
    readonly granularityUs: Micros;
    readonly maxServerDelayUs: Micros;
    /** How many times as fast as the run's the service's clock runs, which `clock` records tell exactly; absent where none does. */
    readonly rate?: number;
  };
  readonly exclusive: boolean;
  readonly flushed: Readonly<Record<LimitName, boolean>>;
  /** Journeys of which some step expects something of its answer; absent where none does, and in older journals. */
  readonly expecting?: readonly string[];
  /**
   * Time zones that tokens were asked for with, each once; empty where none was. Absent where some were and some were
   * not, where a step's zone depends on the journey or is none that calendars know, and in older journals: any token may have any.
   */
  readonly timezones?: readonly string[];
  /** Journeys and applications of the scenario, whether or not any began; absent in older journals. */
  readonly journeys?: readonly string[];
  readonly applications?: readonly string[];
  /** What of the plan is told apart, end to end from 0 on, at least two; absent where there is but one, and in older journals. */
  readonly stages?: readonly StageRecord[];
  /** From where on the generator counts as the bottleneck; absent where nothing judges it. */
  readonly generator?: GeneratorLimits;
  readonly tool: string;
  readonly node: string;
  /** How many workers sent; absent for one. */
  readonly workers?: number;
  /** Which round of several it is: their gates are judged together. Absent for a run by itself. */
  readonly round?: RoundOf;
}

/**
 * A stretch of the plan: a stair, a ramp, a phase. An exchange belongs to the stage in which it was intended, a journey to that of
 * its arrival; what was intended after the last one has ended belongs to the last one.
 */
export interface StageRecord {
  /** `stair-3`, `climb.stair-3`; distinct. */
  readonly name: string;
  readonly fromUs: Micros;
  /** The next one's beginning; of the last one, the planned end. */
  readonly toUs: Micros;
  /** What open load models ask for within it, at its beginning and at its end; absent where one of them names no rate. */
  readonly arrivalsPerMinute?: { readonly from: number; readonly to: number };
  /** Users of closed load models; as above. */
  readonly users?: { readonly from: number; readonly to: number };
}

/** A run among those of one `run --repeat`. */
export interface RoundOf {
  /** From 1. */
  readonly number: number;
  /** How many there are to be. */
  readonly of: number;
  readonly side: 'base' | 'candidate';
}

/** What the generator may fall short by before it, not the service, sets what is measured. */
export interface GeneratorLimits {
  /** How late requests may leave: half of them, and all but one in a hundred. */
  readonly medianLagUs: Micros;
  readonly p99LagUs: Micros;
  /** How late the event loop may typically be. */
  readonly eventLoopUs: Micros;
  /** Share of the arrivals that may be dropped as late. */
  readonly lateShare: number;
  /** Whether a run in which it is the bottleneck is invalid, or only told to be so. */
  readonly enforced: boolean;
}
