/*
 * What `spillway compare` says. Times are in milliseconds, shares from 0 to 1.
 */

export const COMPARISON_FORMAT = 'spillway-comparison';
export const COMPARISON_VERSION = 1;

/** What is too small to matter: a difference of times counts only when it is beyond both that concern them. */
export interface Slack {
  /** Share of the base's value, 0.05 for 5 %; not asked of shares, and all that is asked of counts. */
  readonly relative: number;
  /** Milliseconds, of times. */
  readonly absoluteMs: number;
  /** Of shares, 0.01 for one per cent of all. */
  readonly absoluteShare: number;
}

export type ComparisonVerdict = 'better' | 'worse' | 'same' | 'cannot tell';

/** A difference, candidate less base. */
export interface Difference {
  readonly absolute: number;
  /** By the base's value; absent of shares, and where that is 0. */
  readonly relative?: number;
}

export interface MetricComparison {
  /** The metric with its tags, and what is made of it. */
  readonly metric: string;
  readonly unit: 'ms' | 'share' | 'count' | 'bytes' | '1/s';
  /** Medians over the rounds; absent where no round has a value. */
  readonly base?: number;
  readonly candidate?: number;
  /** Rounds with a value on both sides, where they are paired; otherwise those of the base and those of the candidate. */
  readonly rounds: { readonly base: number; readonly candidate: number };
  /** Hodges and Lehmann's estimate; absent without rounds. */
  readonly difference?: Difference;
  /** 95 % interval of the difference, this metric by itself; absent where so few rounds have none. */
  readonly interval?: { readonly low: Difference; readonly high: Difference };
  /** Two-sided p-value of no difference, and the same corrected by Holm's method for all that was compared. */
  readonly p?: number;
  readonly pCorrected?: number;
  /** Rounds that it takes to tell anything; present where there are fewer. */
  readonly needed?: number;
  readonly verdict: ComparisonVerdict;
  /** One sentence without a full stop. */
  readonly because: string;
}

/** How the verdicts on a limit compare; only proof on one side and none on the other says something. */
export interface LimitComparison {
  readonly limit: string;
  /** Runs in which it was violated. */
  readonly base: number;
  readonly candidate: number;
  readonly verdict: ComparisonVerdict;
  readonly because: string;
}

/** A candidate beside the base. */
export interface CandidateComparison {
  /** As it was named on the command line. */
  readonly name: string;
  /** Identifiers of its runs. */
  readonly runs: readonly string[];
  /** True: its rounds were interleaved with the base's, so that what a machine did to one it did to the other. */
  readonly interleaved: boolean;
  /** In what else the runs differ, as far as that was allowed: `plan`, `limits`, `machine`. */
  readonly differs: readonly string[];
  /** Rounds that are left out, as a run of them was invalid; absent: none is. */
  readonly leftOut?: number;
  readonly metrics: readonly MetricComparison[];
  readonly limits: readonly LimitComparison[];
  /** Something is worse (exit code 99). */
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
