import type { LimitName } from '../../api/index.ts';
import type { ScopeLabels } from '../evidence/slice.ts';

/** `seq`; in a history of several workers `worker:seq`, because each worker numbers its own requests. */
export type ExchangeRef = number | `${number}:${number}`;

/** What a limit is proven to have done wrong. `inconsistent`: too much admitted and too much refused, only together. */
export type Because = 'over-admission' | 'wrongful-refusal' | 'inconsistent';

export type OverAdmissionRule =
  | 'universal-2N'
  | 'universal-density'
  | 'sliding-log-n-plus-1'
  | 'sliding-log-density'
  | 'sliding-log-attempts'
  | 'token-bucket-density'
  | 'interval-refill-density'
  | 'sliding-counter-density'
  | 'fixed-window-anchored-since'
  | 'fixed-window-anchored-chain'
  | 'fixed-window-anchored-fit'
  | 'fixed-window-penalty-block'
  | 'concurrency-cores'
  | 'daily-distinct-messages'
  | 'first-use-day-chain';

export type ArcsRule = 'fixed-window-arcs' | 'fixed-window-anchored-arcs' | 'sliding-counter-arcs';

export type WrongfulRefusalRule =
  | 'universal-refusal'
  | 'wrongful-first-refusal'
  | 'wrongful-first-refusal-of-two-windows'
  | 'wrongful-refusal-last-window'
  | 'wrongful-refusal-counting-refused'
  | 'wrongful-refusal-token-bucket'
  | 'wrongful-refusal-interval-refill'
  | 'wrongful-refusal-sliding-counter'
  | 'wrongful-refusal-penalty'
  | 'wrongful-refusal-anchored'
  | 'wrongful-refusal-anchored-penalty'
  | 'wrongful-refusal-concurrency'
  | 'wrongful-refusal-daily'
  | 'wrongful-refusal-first-use-day';

interface Common {
  readonly limit: LimitName;
  /** The reading that is refuted; `every` if the proof refutes all readings of the limit. */
  readonly reading: string;
  readonly scope: ScopeLabels;
  /** Name of what counts towards the limit (`Counting.name`). */
  readonly counts: string;
  /** N, and W in service µs, as declared. */
  readonly max: number;
  readonly windowUs: number;
  /** Run time, µs: from the sending of the first exchange listed to the latest instant at which the last may have been decided. */
  readonly fromUs: number;
  readonly toUs: number;
  /** One sentence, made from the members (`claimOf`). */
  readonly claim: string;
}

/**
 * More requests were admitted than the reading allows, or one while a refusal blocks. Irreducible: without any one exchange the proof
 * fails.
 */
export interface OverAdmission extends Common {
  readonly rule: OverAdmissionRule;
  /** `inconsistent`: one of the exchanges was refused, which may be what was wrong. */
  readonly because: 'over-admission' | 'inconsistent';
  /** Service µs from the earliest possible decision to the latest. */
  readonly spanUs: number;
  /** Those admitted; of the rules that need refused ones, these too. */
  readonly observed: number;
  /** The most of them that the reading allows in such a span, tolerances included; or that it explains together. */
  readonly possible: number;
  readonly exchanges: readonly ExchangeRef[];
}

/** One piece of evidence about when windows begin. */
export type Arc =
  /**
   * mN + 1 were admitted within less than m windows (m = 1, but for the fixed window): m windows begin among them, the first of them
   * within (from, to]; if `to` is before `from`, nowhere.
   */
  | {
      readonly says: 'boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      readonly exchanges: readonly ExchangeRef[];
    }
  /**
   * No window begins within (from, to). Fixed window: there was a refusal although fewer than N can have counted since `from`.
   * Sliding counter: there was a refusal although, with a window that begins there, the weighted count was below N − 1, refused
   * requests included.
   */
  | {
      readonly says: 'no-boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      readonly refusal: ExchangeRef;
      readonly exchanges: readonly ExchangeRef[];
    }
  /**
   * Sliding counter only: with a window that begins within (from, to), more were admitted than a weighted count below N + 1
   * allows. So none begins there.
   */
  | {
      readonly says: 'overfull-with-boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      /** Some exchanges of the window before, and those of the window that were admitted up to the last of them. */
      readonly exchanges: readonly ExchangeRef[];
    }
  /** Windows are aligned to the service's clock. */
  | { readonly says: 'aligned'; readonly fromUs: number; readonly toUs: number };

/**
 * No beginning of the windows agrees with all arcs. Irreducible: without any one arc the proof fails. Times are service µs since
 * run time 0.
 */
export interface Arcs extends Common {
  readonly rule: ArcsRule;
  readonly because: Because;
  readonly arcs: readonly Arc[];
  readonly exchanges: readonly ExchangeRef[];
}

/** A refusal that too few requests can have caused. `exchanges` lists everything that may have counted in its look-back. */
export interface WrongfulRefusal extends Common {
  readonly rule: WrongfulRefusalRule;
  readonly because: 'wrongful-refusal';
  readonly refusal: ExchangeRef;
  /** How far back the service may look, service µs, tolerances included. */
  readonly lookBackUs: number;
  /**
   * The most that may have counted at any one instant at which the refusal may have been decided; refused ones aside where the rule
   * is about the first refusal.
   */
  readonly observed: number;
  /** A refusal needs at least this count. */
  readonly needed: number;
  readonly exchanges: readonly ExchangeRef[];
}

export type Certificate = OverAdmission | Arcs | WrongfulRefusal;
