import type { Arc, ArcsRule, Because, OverAdmission, OverAdmissionRule, WrongfulRefusalRule } from './certificate.ts';

/** A certificate as a reading makes it: positions in its slice instead of names. `certificateOf` makes it self-contained. */

export interface OverAdmissionDraft {
  readonly rule: OverAdmissionRule;
  readonly because: OverAdmission['because'];
  readonly observed: number;
  readonly possible: number;
  readonly positions: readonly number[];
}

/** Like `Arc`, with positions. */
export type ArcDraft = Omit<Arc, 'exchanges' | 'refusal'> & {
  readonly positions: readonly number[];
  readonly refusal?: number;
};

export interface ArcsDraft {
  readonly rule: ArcsRule;
  readonly because: Because;
  readonly arcs: readonly ArcDraft[];
}

export interface WrongfulRefusalDraft {
  readonly rule: WrongfulRefusalRule;
  readonly because: 'wrongful-refusal';
  readonly refusal: number;
  readonly lookBackUs: number;
  readonly observed: number;
  readonly needed: number;
  /** Everything that may have counted in the look-back. */
  readonly positions: readonly number[];
}

export type Draft = OverAdmissionDraft | ArcsDraft | WrongfulRefusalDraft;
