import type { Because, ExchangeRef } from '../certificates/certificate.ts';
import type { Parameters } from '../reading.ts';

/** What a limit behaves as, given the whole history. No verdict rests on it. */
export interface Inference {
  /** In short: `behaves as a sliding log of 20 per 60 s per application, refused requests not counted`, `6 readings explain it: …`. */
  readonly behaves: string;
  /** The same, and which requests rule other readings out. */
  readonly sentence: string;
  /** Possible readings, the simplest first; empty if no known reading behaves so. */
  readonly possible: readonly Possible[];
  readonly ruledOut: readonly RuledOut[];
  /** How many attempts from the beginning were looked at; absent: all. */
  readonly attempts?: number;
  /** What to send to distinguish the possible readings; absent if there is nothing to distinguish, or no way. */
  readonly experiment?: ProposedExperiment;
}

export interface Possible {
  readonly reading: string;
  readonly scope: string;
  readonly counts: string;
  /** Completes "behaves as …" and "readings explain it: …". */
  readonly says: string;
  /** Numbers with which it explains everything. Absent if there were too many attempts to search. */
  readonly parameters?: Parameters;
  /** The same in words: `20 requests; a window of 54.4 s to 66 s`. */
  readonly fits?: string;
}

export interface RuledOut {
  readonly reading: string;
  readonly because: Because;
  /** The first and the last exchange of the proof that rules it out. */
  readonly from: ExchangeRef;
  readonly to: ExchangeRef;
}

export interface ProposedExperiment {
  /** One sentence for people. */
  readonly sentence: string;
  /** Rate limit only: after a whole window without requests, `requests` at once, `atUs` after the first. */
  readonly bursts?: readonly { readonly atUs: number; readonly requests: number }[];
  /** How many requests of each burst each reading admits at its most frequent phases. */
  readonly expected?: readonly { readonly reading: string; readonly admitted: readonly number[] }[];
}
