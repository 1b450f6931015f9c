import type { LimitName } from '../api/index.ts';
import type { Certificate } from './certificate.ts';
import { Answer, type Evidence } from './evidence.ts';
import { infer } from './inference/infer.ts';
import { fitted, type Outcome } from './inference/outcome.ts';
import { judgeReading, type ReadingJudgement, readingVerdict, refutation } from './judge-reading.ts';
import { attemptsOf, type LimitCase, MOST_JUDGED } from './limit-case.ts';
import { missingFor, NOT_ALL_RULED_OUT, NOTHING_ADMITTED } from './missing.ts';
import { refusalsBefore } from './reached.ts';
import type { Judged, Reading } from './reading.ts';
import { Part } from './slice.ts';
import { refusingRegardless, type Unexplained, unexplainedOf } from './unexplained.ts';
import type { Because, LimitVerdict } from './verdict.ts';

/** A limit's verdict, and what the attribution of refusals needs of it. */
export interface LimitJudgement {
  readonly limit: LimitName;
  /**
   * The verdict, given how many refusals are attributed to this limit, and how many of these it explains; with what is inferred, or
   * without.
   */
  readonly verdict: (attributed: number, explained: number, infers?: boolean) => LimitVerdict;
  readonly unexplained: Unexplained;
  /** Whether a refused row is one that this limit may have refused by what it counts. */
  readonly stands: (row: number) => boolean;
}

type Unknown<S extends Judged> = NonNullable<LimitCase<S>['unknown']>;

export function judgeLimit<S extends Judged>(about: LimitCase<S>, evidence: Evidence): LimitJudgement {
  const judged = judgeAll(about, evidence);
  const unexplained = unexplainedOf(about, evidence);
  return {
    limit: about.limit,
    unexplained,
    stands: refusalsBefore(about, evidence),
    verdict: (attributed, explained, infers = true) =>
      verdictOf(about, judged, { attributed, explained, infers }, evidence),
  };
}

/** One reading under every variant that decides. */
interface Variants {
  /** Those that say something: an extreme one only where it refutes the reading for all others, too. */
  readonly told: readonly ReadingJudgement[];
  readonly overAdmission: boolean;
  readonly wrongfulRefusal: boolean;
  /** Absent when some variant survives, or may. */
  readonly refuted?: { readonly by: ReadingJudgement; readonly because: Because };
  /** Refuted as declared, by neither extreme, and not looked at under the other variants: it may survive under one of them. */
  readonly isOpen?: true;
}

/**
 * Every reading as declared; those that this refutes under the extremes; and those that neither extreme decides under all other
 * variants, one by one. Of a large history that is done only while no reading survives, since one that does decides: then
 * the limit is not violated, whatever becomes of the others.
 */
function judgeAll<S extends Judged>(about: LimitCase<S>, evidence: Evidence): readonly Variants[] {
  const judged = about.readings.map((reading) => judgeReading(reading, about.asDeclared, about, evidence));
  if (!about.unknown) return judged.map(decided);
  // Whatever the narrowest variant over-admits, and whatever the widest cannot explain, each does and cannot either.
  const extremes = judged.map((declared, i) =>
    refutation(declared)
      ? underExtremes(about.readings[i] as Reading<S>, declared, about.unknown as Unknown<S>, about, evidence)
      : { told: [declared], overAdmission: false, wrongfulRefusal: false },
  );
  if (attemptsOf(about) > MOST_JUDGED) about.unknown.narrowest.forget();
  return underOthers(extremes, about.unknown, about, evidence);
}

function underExtremes<S extends Judged>(
  reading: Reading<S>,
  declared: ReadingJudgement,
  unknown: Unknown<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): Variants {
  const narrowest = judgeReading(reading, unknown.narrowest, about, evidence, 'over-admission');
  const widest = judgeReading(reading, unknown.widest, about, evidence, 'wrongful-refusal');
  const [overAdmission, wrongfulRefusal] = [
    narrowest.overAdmission !== undefined,
    widest.wrongfulRefusal !== undefined,
  ];
  const extremes = [...(overAdmission ? [narrowest] : []), ...(wrongfulRefusal ? [widest] : [])];
  const by = extremes[0];
  if (by) return { told: extremes, overAdmission, wrongfulRefusal, refuted: { by, because: becauseOf(by) } };
  return { told: [declared], overAdmission, wrongfulRefusal, isOpen: true };
}

/** Judges what is open under one variant after another, until each reading has one under which it survives. */
function underOthers<S extends Judged>(
  known: readonly Variants[],
  { others }: Unknown<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): readonly Variants[] {
  const isLarge = attemptsOf(about) > MOST_JUDGED;
  const results = [...known];
  const isDone = () =>
    results.every(({ isOpen }) => !isOpen) || (isLarge && results.some(({ refuted, isOpen }) => !refuted && !isOpen));
  for (const how of others) {
    if (isDone()) return results;
    results.forEach((one, i) => {
      if (!one.isOpen) return;
      const { isOpen, ...rest } = one;
      const judgement = judgeReading(about.readings[i] as Reading<S>, how, about, evidence);
      const told = [...one.told, judgement];
      results[i] = refutation(judgement) ? { ...one, told } : { ...rest, told };
    });
    if (isLarge) how.forget();
  }
  return isDone() ? results : results.map(refutedByAll);
}

/** Of a reading that is still open when all variants were tried. */
function refutedByAll(one: Variants): Variants {
  const by = one.told[0];
  if (!one.isOpen || !by) return one;
  const { isOpen, ...rest } = one;
  return { ...rest, refuted: { by, because: 'inconsistent' } };
}

const becauseOf = (one: ReadingJudgement): Because => (one.overAdmission ? 'over-admission' : 'wrongful-refusal');

/** The one variant that is declared. */
function decided(one: ReadingJudgement): Variants {
  const because = refutation(one)?.because;
  return {
    told: [one],
    overAdmission: one.overAdmission !== undefined,
    wrongfulRefusal: one.wrongfulRefusal !== undefined,
    ...(because && { refuted: { by: one, because } }),
  };
}

function verdictOf<S extends Judged>(
  about: LimitCase<S>,
  judged: readonly Variants[],
  {
    attributed,
    explained,
    infers,
  }: { readonly attributed: number; readonly explained: number; readonly infers: boolean },
  evidence: Evidence,
): LimitVerdict {
  const every = (proven: (one: Variants) => boolean) =>
    judged.length > 0 && judged.every(proven) ? 'proven' : 'not-proven';
  const refuted = judged.flatMap((one) => (one.refuted ? [one.refuted] : []));
  const first = refuted[0];
  const isRuledOut = first !== undefined && refuted.length === judged.length;
  const because = becauseOfAll(refuted);
  const proof = isRuledOut ? proofOfAll(about, because, evidence) : undefined;
  const isViolated = isRuledOut && (proof !== undefined || areSurelyRuledOut(judged, about, evidence));
  const isReached = explained > 0 && admitsAny(about, evidence);
  const isTold = infers && (isViolated || isReached);
  const outcomes = judged.map((one, i) => outcomeOf(one, about.readings[i] as Reading<S>, about, isTold));
  const decidedOn = outcomes.filter((_, i) => !judged[i]?.isOpen);
  const common = {
    limit: about.limit,
    declared: about.declared,
    overAdmission: every((one) => one.overAdmission),
    wrongfulRefusal: every((one) => one.wrongfulRefusal),
    readings: outcomes.flatMap(({ told }) => told.map(readingVerdict)),
    ...(isTold && { inference: infer(about, decidedOn, attributed, evidence) }),
  } as const;
  const certificate = proof ?? (first && refutation(first.by));
  if (isViolated && certificate) return { ...common, verdict: 'violated', because, certificate };
  if (isRuledOut) return { ...common, verdict: 'undecided', missing: [NOT_ALL_RULED_OUT] };
  if (isReached) return { ...common, verdict: 'consistent' };
  const missing = explained > 0 ? [NOTHING_ADMITTED] : missingFor(about, attributed, evidence);
  return { ...common, verdict: 'undecided', missing };
}

/** Whether all readings are ruled out also where refusals may block for a while. */
function areSurelyRuledOut<S extends Judged>(
  judged: readonly Variants[],
  about: LimitCase<S>,
  evidence: Evidence,
): boolean {
  if (!about.unknown || !about.every.unblocked) return true;
  const refuses = refusingRegardless(about, evidence);
  return judged.every(({ overAdmission }, i) => overAdmission || refuses(about.readings[i] as Reading<S>));
}

function becauseOfAll(refuted: readonly { readonly because: Because }[]): Because {
  const [because = 'inconsistent', ...others] = new Set(refuted.map((one) => one.because));
  return others.length > 0 ? 'inconsistent' : because;
}

/** One proof against every reading; `undefined` where one is declared, or where each is refuted by a proof of its own. */
function proofOfAll<S extends Judged>(
  about: LimitCase<S>,
  because: Because,
  evidence: Evidence,
): Certificate | undefined {
  const { unknown, every } = about;
  if (!unknown) return undefined;
  if (because === 'over-admission')
    return judgeReading(every, unknown.narrowest, about, evidence, because).overAdmission;
  if (because === 'wrongful-refusal')
    return judgeReading(every, unknown.widest, about, evidence, because).wrongfulRefusal;
  return undefined;
}

/** @param looks whether to look with which other numbers the reading would explain what was seen */
function outcomeOf<S extends Judged>(
  { told, refuted }: Variants,
  reading: Reading<S>,
  about: LimitCase<S>,
  looks: boolean,
): Outcome<S> {
  const outcome = { reading, told, isRefuted: refuted !== undefined };
  return looks && !refuted ? fitted(outcome, about) : outcome;
}

const admitsAny = <S extends Judged>({ asDeclared }: LimitCase<S>, { answer }: Evidence): boolean =>
  asDeclared.slices().some(({ part, row }) =>
    // What may repeat another is `maybe` of this limit, and was admitted all the same.
    Array.prototype.some.call(part, (one, i) => one === Part.admitted || answer[row[i] as number] === Answer.admitted),
  );
