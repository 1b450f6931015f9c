import type { ExchangeRef, WrongfulRefusal } from './certificates/certificate.ts';

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
