import type { Unit } from '../units.ts';

/* The result of `spillway compare`. Times are in milliseconds, shares from 0 to 1. */

export const COMPARISON_FORMAT = 'spillway-comparison';
export const COMPARISON_VERSION = 1;

/** Differences up to this size do not matter. A difference of times matters only if it exceeds both `relative` and `absoluteMs`. */
export interface Slack {
  /** For times and counts: share of the base's value, 0.05 for 5 %. */
  readonly relative: number;
  /** For times, in milliseconds. */
  readonly absoluteMs: number;
  /** For shares: 0.01 is one percentage point. */
  readonly absoluteShare: number;
}

export type ComparisonVerdict = 'better' | 'worse' | 'same' | 'cannot tell';

/** A difference: candidate minus base. */
export interface Difference {
  readonly absolute: number;
  /** Divided by the base's value; absent for shares, and if the base's value is 0. */
  readonly relative?: number;
}

export interface MetricComparison {
  /** The metric with its tags, and the aggregation. */
  readonly metric: string;
  readonly unit: Unit;
  /** Medians over the rounds; absent if no round has a value. */
  readonly base?: number;
  readonly candidate?: number;
  /** Numbers of rounds with a value; if rounds are paired, of rounds with a value on both sides. */
  readonly rounds: { readonly base: number; readonly candidate: number };
  /** Hodges–Lehmann estimate of round against round, so its sign may contradict the medians; absent without rounds. */
  readonly difference?: Difference;
  /** 95 % interval of the difference for this metric alone; absent with too few rounds. */
  readonly interval?: { readonly low: Difference; readonly high: Difference };
  /** Two-sided p-value for the hypothesis of no difference. */
  readonly p?: number;
  /** The same with Holm's correction for all comparisons. */
  readonly pCorrected?: number;
  /** Number of rounds needed for any significant result; present if there are fewer. */
  readonly needed?: number;
  readonly verdict: ComparisonVerdict;
  /** One sentence without a full stop. */
  readonly because: string;
}

/** Comparison of the verdicts on a limit; it differs only if exactly one side has a proven violation. */
export interface LimitComparison {
  readonly limit: string;
  /** Number of runs in which the limit was violated. */
  readonly base: number;
  readonly candidate: number;
  readonly verdict: ComparisonVerdict;
  readonly because: string;
}

/** Comparison of what else is proven; a misbehaviour that is proven on neither side is not listed. */
export interface FindingComparison {
  /** Kind of the finding, or `wrongful-refusal`. */
  readonly finding: string;
  /** Number of runs in which it is proven. */
  readonly base: number;
  readonly candidate: number;
  readonly verdict: ComparisonVerdict;
  readonly because: string;
}

/** Comparison of one candidate with the base. */
export interface CandidateComparison {
  /** As given on the command line. */
  readonly name: string;
  /** Ids of its runs. */
  readonly runs: readonly string[];
  /** Whether its rounds were interleaved with the base's, so that effects of the machine apply to both. */
  readonly interleaved: boolean;
  /** Other permitted differences between the runs: `plan`, `limits`, `machine`. */
  readonly differs: readonly string[];
  /** Number of rounds left out because a run of them was invalid; absent: none. */
  readonly leftOut?: number;
  readonly metrics: readonly MetricComparison[];
  readonly limits: readonly LimitComparison[];
  readonly findings: readonly FindingComparison[];
  /** Whether anything is worse (exit code 99). */
  readonly regressed: boolean;
}

/** The content of `comparison.json`, and of `spillway compare --json`. */
export interface Comparison {
  readonly format: typeof COMPARISON_FORMAT;
  readonly version: typeof COMPARISON_VERSION;
  readonly base: { readonly name: string; readonly runs: readonly string[]; readonly leftOut?: number };
  readonly candidates: readonly CandidateComparison[];
  readonly slack: Slack;
  readonly regressed: boolean;
}
