/**
 * check/ judges a history: whether each limit was kept, with a certificate for each violation; which limit refused what; and what
 * else the service did wrong. It knows the records and the target profile in their header, and works on raw intervals. It must
 * not know how the embedded sandbox limits (a judge that shares code with the judged shares its mistakes), nor collectors, so
 * that no rounding can create an accusation. It sends nothing and reads no clock.
 */
export type {
  Arc,
  Arcs,
  Because,
  Certificate,
  ExchangeRef,
  OverAdmission,
  OverAdmissionRule,
  WrongfulRefusal,
  WrongfulRefusalRule,
} from './certificates/certificate.ts';
export { checkJournal, judge } from './check-journal.ts';
export type { ScopeLabels } from './evidence/slice.ts';
export type { Finding, FindingData } from './finding.ts';
export { findingKinds } from './findings/index.ts';
export type { Inference, Possible, ProposedExperiment, RuledOut } from './inference/inference.ts';
export type { JudgeOptions } from './judge.ts';
export { type AcceptedProof, type Proof, type Weighed, weigh } from './judging/weigh.ts';
export type { Parameters, Range } from './reading.ts';
export { isReadingOf, limitsWithReading, readingNames } from './readings/index.ts';
export { intervalOf, renderCertificate, renderVerdicts, type VerdictWords } from './render.ts';
export type {
  LimitVerdict,
  ReadingVerdict,
  Refusals,
  Soundness,
  Verdicts,
  WrongfulRefusedExchange,
} from './verdict.ts';
