import type { Exchange, StreamRecord } from '../history/index.ts';
import type { ExchangeRef, WrongfulRefusal } from './certificate.ts';
import type { Evidence } from './evidence.ts';
import type { DeclaredReadings } from './reading.ts';

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
  /** Proofs that it rests on, one per rule, verified like those of the verdicts. Absent: the exchanges alone show it. */
  readonly certificates?: readonly WrongfulRefusal[];
  /** How many of this kind and basis there are, where that is more than are listed. Absent: all are listed. */
  readonly total?: number;
}

/** Looks for one family of findings in the records as they are folded. Doubtful ones (`doubtAbout`) are not shown to it. */
export interface FindingFold {
  /**
   * @param row of the exchange in the evidence
   * @param turn number of the turn that it names; 0: none
   */
  addExchange(exchange: Exchange, row: number, turn: number): void;
  /** @param turn number of its turn */
  addStream(record: StreamRecord, turn: number): void;
  /** @param declared readings that are judged instead of the header's */
  finish(evidence: Evidence, declared: DeclaredReadings): readonly Finding[];
}
