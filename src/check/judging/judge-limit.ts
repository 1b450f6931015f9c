import type { LimitName } from '../../api/index.ts';
import type { Because, Certificate } from '../certificates/certificate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { infer } from '../inference/infer.ts';
import { fitted, type Outcome } from '../inference/outcome.ts';
import type { Judged, Reading } from '../reading.ts';
import type { LimitVerdict } from '../verdict.ts';
import { judgeReading, readingVerdict, refutation } from './judge-reading.ts';
import { judgeVariants, type Variants } from './judge-variants.ts';
import { isSurelyReached, mayHaveRefused, missingIn, type RefusalCounts } from './kept.ts';
import { isAnyPossible, type LimitCase } from './limit-case.ts';
import { exceededByReading, notAllRuledOut, unsureClock } from './missing.ts';
import { refusingRegardless, type Unexplained, unexplainedOf } from './unexplained.ts';

/** A limit's verdict, and what the attribution of refusals needs to know of it. */
export interface LimitJudgement {
  readonly limit: LimitName;
  /** @param infers whether to add what the limit behaves as */
  readonly verdict: (refusals: RefusalCounts, infers: boolean) => LimitVerdict;
  readonly unexplained: Unexplained;
  /** Whether this limit may have refused the row because of what it counts. */
  readonly mayHaveRefused: (row: number) => boolean;
}

export function judgeLimit<S extends Judged>(about: LimitCase<S>, evidence: Evidence): LimitJudgement {
  const judged = judgeVariants(about, evidence);
  const unexplained = unexplainedOf(about, evidence);
  return {
    limit: about.limit,
    unexplained,
    mayHaveRefused: mayHaveRefused(about, evidence),
    verdict: (refusals, infers) => verdictOf(about, judged, refusals, infers, evidence),
  };
}

function verdictOf<S extends Judged>(
  about: LimitCase<S>,
  judged: readonly Variants[],
  refusals: RefusalCounts,
  infers: boolean,
  evidence: Evidence,
): LimitVerdict {
  const refuted = judged.flatMap((one) => (one.refuted ? [one.refuted] : []));
  const first = refuted[0];
  const isRuledOut = first !== undefined && refuted.length === judged.length;
  const because = causeProvenForAll(judged) ?? becauseOfAll(refuted);
  const proof = isRuledOut ? proofOfAll(about, because, evidence) : undefined;
  const isViolated = isRuledOut && (proof !== undefined || areSurelyRuledOut(judged, about, evidence));
  const every = (proven: (one: Variants) => boolean) => (isViolated && judged.every(proven) ? 'proven' : 'not-proven');
  const isTold = infers && (isViolated || isSurelyReached(about, refusals.explained, evidence));
  const outcomes = judged.map((one, i) => outcomeOf(one, about.readings[i] as Reading<S>, about, isTold));
  const decidedOn = outcomes.filter((_, i) => !judged[i]?.isOpen);
  const common = {
    limit: about.limit,
    declared: about.declared,
    overAdmission: every((one) => one.overAdmission),
    wrongfulRefusal: every((one) => one.wrongfulRefusal),
    readings: outcomes.flatMap(({ told }) => told.map(readingVerdict)),
    ...(isTold && { inference: infer(about, decidedOn, refusals.attributed, evidence) }),
  } as const;
  const certificate = proof ?? (first && (proofIn(judged[0], because) ?? refutation(first.by)));
  if (isViolated && certificate) return { ...common, verdict: 'violated', because, certificate };
  const missing = isRuledOut ? [notAllRuledOut(about)] : missingIn(about, judged, refusals, evidence);
  if (missing === undefined) return { ...common, verdict: 'consistent' };
  const open = isRuledOut ? [] : exceededReadings(about, judged);
  return { ...common, verdict: 'undecided', missing: [...open, ...missing, ...unsureClock(about, evidence)] };
}

function exceededReadings<S extends Judged>(about: LimitCase<S>, judged: readonly Variants[]): string[] {
  const names = about.readings.flatMap(({ name }, i) => (judged[i]?.overAdmission ? [name] : []));
  return names.length > 0 ? [exceededByReading(about, names)] : [];
}

/**
 * Whether all readings are ruled out even if the service counts in an unknown way: one that blocks after a refusal, or one that
 * regains in steps, as a log of whole seconds or a bucket with a quarter of its tokens every quarter does; or one whose days begin
 * between those of two known readings, of which one admits too little and the other too much.
 */
function areSurelyRuledOut<S extends Judged>(
  judged: readonly Variants[],
  about: LimitCase<S>,
  evidence: Evidence,
): boolean {
  const { unlisted, begins } = about.every;
  if (!isAnyPossible(about)) return true;
  if (begins === 'at-any-time') return causeProvenForAll(judged) !== undefined;
  if (!unlisted) return true;
  const refuses = refusingRegardless(about, evidence);
  if (!refuses(unlisted)) return false;
  return judged.every(({ overAdmission }, i) => overAdmission || refuses(about.readings[i] as Reading<S>));
}

/** A reading may be refuted by both, another by one alone: what all are refuted by is the cause. */
function causeProvenForAll(judged: readonly Variants[]): Because | undefined {
  if (judged.every(({ overAdmission }) => overAdmission)) return 'over-admission';
  return judged.every(({ wrongfulRefusal }) => wrongfulRefusal) ? 'wrongful-refusal' : undefined;
}

const proofIn = (one: Variants | undefined, because: Because): Certificate | undefined =>
  one?.told.flatMap(({ overAdmission, wrongfulRefusal }) =>
    [overAdmission, wrongfulRefusal].filter((proof) => proof !== undefined && proof.because === because),
  )[0];

function becauseOfAll(refuted: readonly { readonly because: Because }[]): Because {
  const [because = 'inconsistent', ...others] = new Set(refuted.map((one) => one.because));
  return others.length > 0 ? 'inconsistent' : because;
}

/** One proof against every reading; `undefined` if a reading is declared, or if each is refuted by its own proof. */
function proofOfAll<S extends Judged>(
  about: LimitCase<S>,
  because: Because,
  evidence: Evidence,
): Certificate | undefined {
  const { unknown, every } = about;
  if (!unknown || !isAnyPossible(about)) return undefined;
  if (because === 'over-admission')
    return judgeReading(every, unknown.narrowest, about, evidence, because).overAdmission;
  if (because === 'wrongful-refusal')
    return judgeReading(every, unknown.widest, about, evidence, because).wrongfulRefusal;
  return undefined;
}

/** @param looks whether to search for other numbers under which the reading would explain the history */
function outcomeOf<S extends Judged>(
  { told, refuted }: Variants,
  reading: Reading<S>,
  about: LimitCase<S>,
  looks: boolean,
): Outcome<S> {
  const outcome = { reading, told, isRefuted: refuted !== undefined };
  return looks && !refuted ? fitted(outcome, about) : outcome;
}
