import type { JournalRecord } from '../history/index.ts';
import type { ExchangeRef } from './certificate.ts';
import type { Evidence } from './evidence.ts';

/** What a claim is rendered from: plain values, no text of the service but codes and names made harmless. */
export type FindingData = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** A proven or observed misbehaviour beside the limits. Only `specification` and `profile` can fail a run; `observation` is told, never judged. */
export interface Finding {
  /** Kebab-case and stable: `replay-charged`. */
  readonly kind: string;
  readonly basis: 'specification' | 'profile' | 'observation';
  /** One sentence. */
  readonly claim: string;
  readonly exchanges: readonly ExchangeRef[];
  /** The numbers and names in the claim. */
  readonly data?: FindingData;
  /** How many of this kind and basis there are, where that is more than are listed. Absent: all are listed. */
  readonly total?: number;
}

/** Looks for one family of findings in the records as they are folded. */
export interface FindingFold {
  /**
   * Doubtful records (`doubtAbout`) are not shown to it.
   * @param row of an exchange in the evidence
   * @param turn number of the turn that an exchange or a stream record names; 0: none
   */
  add(record: JournalRecord, row: number, turn: number): void;
  finish(evidence: Evidence): readonly Finding[];
}
