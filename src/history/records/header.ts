import type { LimitName } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

export const HISTORY_FORMAT = 'spillway-history';
export const HISTORY_VERSION = 1;

/** The first line: what ran against which service, and what the judge may assume. */
export interface Header {
  readonly kind: 'header';
  readonly format: typeof HISTORY_FORMAT;
  readonly version: typeof HISTORY_VERSION;
  readonly runId: string;
  /** Wall clock at run time 0; ISO 8601, UTC. */
  readonly startedAt: string;
  readonly scenario: string;
  readonly seed: number;
  /** The resolved target profile, without secrets. */
  readonly profile: unknown;
  /** Gates by metric, each with its threshold and options; read by `readGates` of metrics/. */
  readonly gates: unknown;
  /**
   * Digest of the plan, independent of the scenario's name: journeys, load, caps, policies, users and data. Absent in older
   * journals.
   */
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
    /** Speed of the service's clock relative to the run's, if `clock` records are exact; absent otherwise. */
    readonly rate?: number;
  };
  readonly exclusive: boolean;
  readonly flushed: Readonly<Record<LimitName, boolean>>;
  /** Journeys with a step that has expectations; absent if there are none, and in older journals. */
  readonly expecting?: readonly string[];
  /**
   * Time zones requested for tokens, each once; empty if none was requested. Absent if only some tokens were requested with one,
   * if a step's zone depends on the journey or is unknown to calendars, and in older journals: then any token may have any zone.
   */
  readonly timezones?: readonly string[];
  /** Journeys and applications of the scenario, whether or not any began; absent in older journals. */
  readonly journeys?: readonly string[];
  readonly applications?: readonly string[];
  /** Stages of the plan, without gaps from 0 on, at least two; absent if there is only one, and in older journals. */
  readonly stages?: readonly StageRecord[];
  /** Thresholds from which on the generator counts as the bottleneck; absent if this is not judged. */
  readonly generator?: GeneratorLimits;
  readonly tool: string;
  readonly node: string;
  /** Number of workers that sent; absent for one. */
  readonly workers?: number;
  /** Which of several rounds it is; their gates are judged together. Absent for a single run. */
  readonly round?: RoundOf;
}

/**
 * A stage of the plan: a stair, a ramp, a phase. An exchange belongs to the stage of its intended time, a journey to that of its
 * arrival; what was intended after the last stage belongs to the last one.
 */
export interface StageRecord {
  /** `stair-3`, `climb.stair-3`; distinct. */
  readonly name: string;
  readonly fromUs: Micros;
  /** Start of the next stage; for the last one, the planned end. */
  readonly toUs: Micros;
  /** Rate of the open load models at the start and the end of the stage; absent if one of them has no rate. */
  readonly arrivalsPerMinute?: { readonly from: number; readonly to: number };
  /** Users of closed load models, likewise. */
  readonly users?: { readonly from: number; readonly to: number };
}

/** A run among those of one `run --repeat`. */
export interface RoundOf {
  /** From 1. */
  readonly number: number;
  /** Number of rounds planned. */
  readonly of: number;
  readonly side: 'base' | 'candidate';
}

/** Thresholds above which the generator rather than the service is considered the bottleneck. */
export interface GeneratorLimits {
  /** Allowed lag of requests: the median, and the 99th percentile. */
  readonly medianLagUs: Micros;
  readonly p99LagUs: Micros;
  /** Allowed typical delay of the event loop. */
  readonly eventLoopUs: Micros;
  /** Allowed share of arrivals dropped as late, 0 to 1. */
  readonly lateShare: number;
  /** Whether a run in which the generator is the bottleneck is invalid; otherwise there is only a warning. */
  readonly enforced: boolean;
}
