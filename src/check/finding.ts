import type { JournalRecord } from '../history/index.ts';
import type { ExchangeRef } from './certificate.ts';
import type { Evidence } from './evidence.ts';

/** A proven or observed misbehaviour beside the limits. Only `specification` and `profile` can fail a run; `observation` is told, never judged. */
export interface Finding {
  /** Kebab-case and stable: `replay-charged`. */
  readonly kind: string;
  readonly basis: 'specification' | 'profile' | 'observation';
  /** One sentence. */
  readonly claim: string;
  readonly exchanges: readonly ExchangeRef[];
}

/** Looks for one family of findings in the records as they are folded. */
export interface FindingFold {
  /** Doubtful records (`doubtAbout`) are not shown to it. */
  add(record: JournalRecord): void;
  finish(evidence: Evidence): readonly Finding[];
}
