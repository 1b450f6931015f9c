import type { Because } from '../certificates/certificate.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Judged, Reading } from '../reading.ts';
import { judgeReading, type ReadingJudgement, refutation } from './judge-reading.ts';
import { attemptsOf, type LimitCase, MOST_JUDGED } from './limit-case.ts';

type Unknown<S extends Judged> = NonNullable<LimitCase<S>['unknown']>;

/** The results for one reading under every variant that decides. */
export interface Variants {
  /** The results that mean something: an extreme variant's only if it refutes the reading for all others, too. */
  readonly told: readonly ReadingJudgement[];
  readonly overAdmission: boolean;
  readonly wrongfulRefusal: boolean;
  /** Absent if some variant survives, or may survive. */
  readonly refuted?: { readonly by: ReadingJudgement; readonly because: Because };
  /** The reading is refuted as declared, but by neither extreme, and was not tried under the other variants: it may survive under one. */
  readonly isOpen?: true;
}

/**
 * Judges every reading as declared; what that refutes, under the two extreme variants; what neither extreme decides, under all
 * other variants, one by one. In a large history the last step is done only while no reading survives: one surviving reading
 * decides that the limit is not violated.
 */
export function judgeVariants<S extends Judged>(about: LimitCase<S>, evidence: Evidence): readonly Variants[] {
  const judged = about.readings.map((reading) => judgeReading(reading, about.asDeclared, about, evidence));
  if (!about.unknown) return judged.map(decided);
  // What is too much under the narrowest variant is too much under every other, and a refusal that the widest cannot explain, no
  // other can.
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

/** Judges the open readings under one variant after another, until each has one under which it survives. */
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

/** The result for a reading that all variants refute. */
function refutedByAll(one: Variants): Variants {
  const by = one.told[0];
  if (!one.isOpen || !by) return one;
  const { isOpen, ...rest } = one;
  return { ...rest, refuted: { by, because: 'inconsistent' } };
}

const becauseOf = (one: ReadingJudgement): Because => (one.overAdmission ? 'over-admission' : 'wrongful-refusal');

/** The result if there is only the declared variant. */
function decided(one: ReadingJudgement): Variants {
  const because = refutation(one)?.because;
  return {
    told: [one],
    overAdmission: one.overAdmission !== undefined,
    wrongfulRefusal: one.wrongfulRefusal !== undefined,
    ...(because && { refuted: { by: one, because } }),
  };
}
