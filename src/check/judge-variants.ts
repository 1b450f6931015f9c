import type { Evidence } from './evidence.ts';
import { judgeReading, type ReadingJudgement, refutation } from './judge-reading.ts';
import { attemptsOf, type LimitCase, MOST_JUDGED } from './limit-case.ts';
import type { Judged, Reading } from './reading.ts';
import type { Because } from './verdict.ts';

type Unknown<S extends Judged> = NonNullable<LimitCase<S>['unknown']>;

/** One reading under every variant that decides. */
export interface Variants {
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
export function judgeVariants<S extends Judged>(about: LimitCase<S>, evidence: Evidence): readonly Variants[] {
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
