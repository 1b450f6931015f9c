import type { ExchangeRef } from '../certificate.ts';
import type { Parameters } from '../reading.ts';
import type { Because } from '../verdict.ts';

/** What a limit behaves as, from everything that was seen. No verdict rests on it. */
export interface Inference {
  /** In short: `behaves as a sliding log of 20 per 60 s per application, refused requests not counted`. */
  readonly behaves: string;
  /** That, and by which requests other readings are ruled out. */
  readonly sentence: string;
  /** What it may be, the plainest first; empty: nothing that is known here behaves so. */
  readonly possible: readonly Possible[];
  readonly ruledOut: readonly RuledOut[];
  /** What to send to tell the possible ones apart; absent where there is nothing to tell, or no way. */
  readonly experiment?: ProposedExperiment;
}

export interface Possible {
  readonly reading: string;
  readonly scope: string;
  readonly counts: string;
  /** Completes "behaves as …". */
  readonly says: string;
  /** With what it explains everything. Absent where there were too many attempts to look. */
  readonly parameters?: Parameters;
  /** The same in words: `20 requests; a window of 54.4 s to 66 s`. */
  readonly fits?: string;
}

export interface RuledOut {
  readonly reading: string;
  readonly because: Because;
  /** The first and the last of the exchanges that rule it out. */
  readonly from: ExchangeRef;
  readonly to: ExchangeRef;
}

export interface ProposedExperiment {
  /** One sentence for people. */
  readonly sentence: string;
  /** Of the rate limit: after a whole window without requests, so many requests at once, so long after the first. */
  readonly bursts?: readonly { readonly atUs: number; readonly requests: number }[];
  /** How many of each burst the readings admit, at the phase that is most usual. */
  readonly expected?: readonly { readonly reading: string; readonly admitted: readonly number[] }[];
}
