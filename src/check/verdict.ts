import type { LimitName } from '../api/index.ts';
import type { Because, Certificate, ExchangeRef, WrongfulRefusal } from './certificates/certificate.ts';
import type { Skipped } from './evidence/doubt.ts';
import type { Finding } from './finding.ts';
import type { Inference } from './inference/inference.ts';
import type { Parameters } from './reading.ts';

export const VERDICTS_FORMAT = 'spillway-verdicts';
export const VERDICTS_VERSION = 1;

/** Everything that `check/` reports about a history (design.md section 5). */
export interface Verdicts {
  readonly format: typeof VERDICTS_FORMAT;
  readonly version: typeof VERDICTS_VERSION;
  /** One per limit. */
  readonly limits: readonly LimitVerdict[];
  readonly refusals: Refusals;
  readonly findings: readonly Finding[];
  readonly soundness: Soundness;
}

interface JudgedLimit {
  readonly limit: LimitName;
  /** The declared reading; `unknown` where none is. */
  readonly declared: string;
  readonly overAdmission: 'proven' | 'not-proven';
  readonly wrongfulRefusal: 'proven' | 'not-proven';
  readonly readings: readonly ReadingVerdict[];
  /** What the limit behaves as. Absent if the limit was not reached. */
  readonly inference?: Inference;
}

export type LimitVerdict =
  /** The declared reading is refuted; if none is declared, every reading is. */
  | (JudgedLimit & { readonly verdict: 'violated'; readonly because: Because; readonly certificate: Certificate })
  /** At least one reading survives, a refusal is attributed to the limit, and a much lower number would have been noticed. */
  | (JudgedLimit & { readonly verdict: 'consistent' })
  /** The limit was not reached, or evidence is missing: `missing` says what. */
  | (JudgedLimit & { readonly verdict: 'undecided'; readonly missing: readonly string[] });

interface NamedReading {
  readonly reading: string;
  /** Whose attempts share a bucket: `application`, `user`, …. */
  readonly scope: string;
  /** What counts, in words: `bearer without openStream`, `turns`, `new messages`, …. */
  readonly counts: string;
}

export type ReadingVerdict =
  | (NamedReading & { readonly state: 'refuted'; readonly because: Because; readonly certificate: Certificate })
  | (NamedReading & { readonly state: 'survives'; readonly parameters?: Parameters });

export interface Refusals {
  readonly total: number;
  /**
   * Refusals without an error code, or whose code names no limit: attributed only by excluding other limits; some may be an
   * intermediary's.
   */
  readonly unnamed: number;
  /** Number of refusals by limit. `ambiguous`: several limits may have refused, or an intermediary, as the body is not the service's. */
  readonly attributed: Readonly<Record<LimitName | 'ambiguous', number>>;
  /** Refusals that no reading of any possible limit explains; at most twenty. */
  readonly wrongful: readonly WrongfulRefusedExchange[];
}

export interface WrongfulRefusedExchange {
  readonly exchange: ExchangeRef;
  /** One proof per limit that may have refused it. */
  readonly certificates: readonly WrongfulRefusal[];
}

export interface Soundness {
  readonly exclusive: boolean;
  readonly flushed: Readonly<Record<LimitName, boolean>>;
  readonly complete: boolean;
  /** Number of records that no accusation rests on, by what is wrong with them. */
  readonly skipped: Skipped;
}
