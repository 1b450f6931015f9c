import type { Exchange, StreamRecord } from '../history/index.ts';
import type { ExchangeRef, WrongfulRefusal } from './certificate.ts';
import type { Evidence } from './evidence.ts';
import type { DeclaredReadings } from './reading.ts';

/** The values in a claim: plain values; texts of the service only as codes and names made harmless. */
export type FindingData = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/**
 * A proven or observed misbehaviour that is not a violated limit. Only `specification` and `profile` can fail a run;
 * `observation` is reported and never judged.
 */
export interface Finding {
  /** Kebab-case and stable: `replay-charged`. */
  readonly kind: string;
  readonly basis: 'specification' | 'profile' | 'observation';
  /** One sentence. */
  readonly claim: string;
  readonly exchanges: readonly ExchangeRef[];
  /** The numbers and names in the claim. */
  readonly data?: FindingData;
  /** Proofs on which it rests, one per rule, verified like those of the verdicts. Absent: the exchanges alone show it. */
  readonly certificates?: readonly WrongfulRefusal[];
  /** How many findings of this kind and basis there are, if more than are listed. Absent: all are listed. */
  readonly total?: number;
}

/** Searches the records for one family of findings. Doubtful records (`doubtAbout`) are not passed to it. */
export interface FindingFold {
  /**
   * @param row row of the exchange in the evidence
   * @param turn number of the turn that the exchange names; 0 if it names none
   */
  addExchange(exchange: Exchange, row: number, turn: number): void;
  /** @param turn number of its turn */
  addStream(record: StreamRecord, turn: number): void;
  /** @param declared readings to judge instead of the header's */
  finish(evidence: Evidence, declared: DeclaredReadings): readonly Finding[];
}
