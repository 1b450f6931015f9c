import type { LimitName } from '../api/index.ts';
import type { ScopeLabels } from './slice.ts';

/** `seq`; `worker:seq` in a history of several workers, whose sequence numbers are their own. */
export type ExchangeRef = number | `${number}:${number}`;

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
  | 'concurrency-cores'
  | 'daily-distinct-messages'
  | 'first-use-day-chain';

export type ArcsRule = 'fixed-window-arcs' | 'fixed-window-anchored-arcs' | 'sliding-counter-arcs';

export type WrongfulRefusalRule =
  | 'universal-refusal'
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
  /** The reading that it refutes; `every` when no reading of the limit allows it. */
  readonly reading: string;
  readonly scope: ScopeLabels;
  /** Name of what counts (`Counting.name`). */
  readonly counts: string;
  /** N, and W in service µs, as declared. */
  readonly max: number;
  readonly windowUs: number;
  /** Run time, µs: from the sending of the first of the exchanges named until the last of them may have been decided. */
  readonly fromUs: number;
  readonly toUs: number;
  /** One sentence, rendered from the members (`claimOf`). */
  readonly claim: string;
}

/** More were admitted than can be. Irreducible: without any one exchange the proof fails. */
export interface OverAdmission extends Common {
  readonly rule: OverAdmissionRule;
  readonly because: 'over-admission';
  /** Service µs from the first possible decision to the last. */
  readonly spanUs: number;
  readonly observed: number;
  /** The most that the reading admits in such a span, tolerances included. */
  readonly possible: number;
  readonly exchanges: readonly ExchangeRef[];
}

/** What one piece of evidence says of where a window begins. */
export type Arc =
  /** N + 1 admitted within less than a window: one begins within (from, to]. */
  | {
      readonly says: 'boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      readonly exchanges: readonly ExchangeRef[];
    }
  /**
   * Of a fixed window: refused although fewer than N may have counted since `from`. Of a sliding counter: refused although less than
   * N − 1 may have weighed in with a window that begins there, refused ones included. None begins within (from, to).
   */
  | {
      readonly says: 'no-boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      readonly refusal: ExchangeRef;
      readonly exchanges: readonly ExchangeRef[];
    }
  /** Of a sliding counter: with a window that begins there, more were admitted than weigh less than N + 1. None begins within (from, to). */
  | {
      readonly says: 'overfull-with-boundary-within';
      readonly fromUs: number;
      readonly toUs: number;
      /** Some of the window before, and those of the window that were admitted up to the last of them. */
      readonly exchanges: readonly ExchangeRef[];
    }
  /** Windows are aligned to the service's clock. */
  | { readonly says: 'aligned'; readonly fromUs: number; readonly toUs: number };

/** No beginning of the windows agrees with all arcs. Irreducible: without any one arc the proof fails. Times are service µs since run time 0. */
export interface Arcs extends Common {
  readonly rule: ArcsRule;
  readonly because: 'over-admission' | 'wrongful-refusal' | 'inconsistent';
  readonly arcs: readonly Arc[];
  readonly exchanges: readonly ExchangeRef[];
}

/** A refusal that too few can have caused. `exchanges` is everything that may have counted in its look-back. */
export interface WrongfulRefusal extends Common {
  readonly rule: WrongfulRefusalRule;
  readonly because: 'wrongful-refusal';
  readonly refusal: ExchangeRef;
  /** How far back the service may look, service µs, tolerances included. */
  readonly lookBackUs: number;
  /** The most that may have counted against it at any one instant at which it may have been decided. */
  readonly observed: number;
  /** Fewer than this cannot cause a refusal. */
  readonly needed: number;
  readonly exchanges: readonly ExchangeRef[];
}

export type Certificate = OverAdmission | Arcs | WrongfulRefusal;
