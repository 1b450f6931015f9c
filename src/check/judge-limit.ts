import type { LimitName } from '../api/index.ts';
import type { Because, Certificate } from './certificate.ts';
import { Answer, type Evidence } from './evidence.ts';
import { infer } from './inference/infer.ts';
import { isRefusedWrongly } from './inference/numbers.ts';
import { fitted, type Outcome, variantOf } from './inference/outcome.ts';
import { judgeReading, readingVerdict, refutation } from './judge-reading.ts';
import { judgeVariants, type Variants } from './judge-variants.ts';
import { isAnyPossible, type LimitCase } from './limit-case.ts';
import {
  exceededAsDeclared,
  missingFor,
  NOT_ALL_RULED_OUT,
  NOTHING_ADMITTED,
  seenTooLate,
  unsureClock,
} from './missing.ts';
import { refusalsBefore } from './reached.ts';
import type { Judged, Reading } from './reading.ts';
import { Part } from './slice.ts';
import { refusingRegardless, type Unexplained, unexplainedOf } from './unexplained.ts';
import type { LimitVerdict } from './verdict.ts';

/** A limit's verdict, and what the attribution of refusals needs to know of it. */
export interface LimitJudgement {
  readonly limit: LimitName;
  /**
   * The verdict.
   * @param attributed number of refusals attributed to this limit
   * @param explained how many of these some reading explains
   * @param infers whether to add what the limit behaves as
   */
  readonly verdict: (attributed: number, explained: number, infers?: boolean) => LimitVerdict;
  readonly unexplained: Unexplained;
  /** Whether this limit may have refused the row because of what it counts. */
  readonly stands: (row: number) => boolean;
}

export function judgeLimit<S extends Judged>(about: LimitCase<S>, evidence: Evidence): LimitJudgement {
  const judged = judgeVariants(about, evidence);
  const unexplained = unexplainedOf(about, evidence);
  return {
    limit: about.limit,
    unexplained,
    stands: refusalsBefore(about, evidence),
    verdict: (attributed, explained, infers = true) =>
      verdictOf(about, judged, { attributed, explained, infers }, evidence),
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
  const isReached = explained > 0 && admitsAny(about, evidence) && isMeasurable(about, evidence);
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
  const undecided = (...missing: readonly string[]): LimitVerdict => ({
    ...common,
    verdict: 'undecided',
    missing: [...missing, ...unsureClock(about, evidence)],
  });
  if (isRuledOut) return undecided(NOT_ALL_RULED_OUT);
  const exceeded = isExceeded(about, judged);
  const isKept = !exceeded || isFilled(about, judged, evidence);
  if (isReached && isKept && showsItsNumber(about, judged)) return { ...common, verdict: 'consistent' };
  if (exceeded) return undecided(exceededAsDeclared(about));
  if (isReached) return undecided(seenTooLate(about.bounds.max));
  if (explained > 0 && !isMeasurable(about, evidence)) return undecided();
  return undecided(...(explained > 0 ? [NOTHING_ADMITTED] : missingFor(about, attributed, evidence)));
}

/** Whether any duration at the service is certain. If none is, every reading explains everything. */
const isMeasurable = <S extends Judged>(
  { bounds: { windowUs, shortUs } }: LimitCase<S>,
  { timeline }: Evidence,
): boolean => !timeline.mayLackRecords && (windowUs === 0 || shortUs > 0);

/** Whether every reading is exceeded as declared, though not under every variant. */
const isExceeded = <S extends Judged>({ asDeclared, unknown }: LimitCase<S>, judged: readonly Variants[]): boolean =>
  unknown !== undefined &&
  judged.every(({ told }) => told.some((one) => one.scope === asDeclared.scope && one.overAdmission !== undefined));

/**
 * Whether a surviving reading has a bucket in which as many were admitted within a window as it holds, or one less, since some
 * rate readings may leave one. If nearly every request has its own bucket, any refusal for any other reason would make a limit of
 * any number look kept.
 */
const isFilled = <S extends Judged>(about: LimitCase<S>, judged: readonly Variants[], evidence: Evidence): boolean =>
  judged.some((one) => survivingSlices(about, one).some((slice) => isFull(slice, about, evidence)));

/** The buckets of all surviving variants of a reading. */
const survivingSlices = <S extends Judged>(about: LimitCase<S>, { told, refuted }: Variants): readonly S[] =>
  (refuted ? [] : told.filter((one) => !refutation(one))).flatMap((one) => variantOf(about, one)?.slices() ?? []);

/**
 * Whether the history shows the number of some surviving reading: a bucket so full that one more would be a proof of too many, or
 * a refusal that would be unexplained if the number were one higher.
 */
function showsItsNumber<S extends Judged>(about: LimitCase<S>, judged: readonly Variants[]): boolean {
  const { wasSeenFull, bounds } = about;
  if (!wasSeenFull) return true;
  const oneMore = { ...bounds, max: bounds.max + 1 };
  return judged.some((one, i) =>
    survivingSlices(about, one).some(
      (slice) => wasSeenFull(slice) || isRefusedWrongly(about.readings[i] as Reading<S>, [slice], oneMore),
    ),
  );
}

function isFull<S extends Judged>({ part, row }: S, { limit, bounds }: LimitCase<S>, { from }: Evidence): boolean {
  const admittedAt: number[] = [];
  for (let i = 0; i < part.length; i++)
    if (part[i] === Part.admitted) admittedAt.push(from[row[i] as number] as number);
  const wanted = limit === 'rate' && bounds.max > 2 ? bounds.max - 1 : bounds.max;
  // How many turns were open at once is not checked: that so many were accepted is enough to leave it open.
  const withinUs = limit === 'concurrency' ? Number.POSITIVE_INFINITY : bounds.windowUs;
  admittedAt.sort((a, b) => a - b);
  return admittedAt.some((at, first) => (admittedAt[first + wanted - 1] ?? Number.POSITIVE_INFINITY) - at <= withinUs);
}

/** Whether all readings are ruled out even if refusals may block later requests for a while. */
function areSurelyRuledOut<S extends Judged>(
  judged: readonly Variants[],
  about: LimitCase<S>,
  evidence: Evidence,
): boolean {
  if (!isAnyPossible(about) || !about.every.unblocked) return true;
  const refuses = refusingRegardless(about, evidence);
  return judged.every(({ overAdmission }, i) => overAdmission || refuses(about.readings[i] as Reading<S>));
}

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

const admitsAny = <S extends Judged>({ asDeclared }: LimitCase<S>, { answer }: Evidence): boolean =>
  asDeclared.slices().some(({ part, row }) =>
    // An attempt that may be a repetition is `maybe` for this limit, but was admitted.
    Array.prototype.some.call(part, (one, i) => one === Part.admitted || answer[row[i] as number] === Answer.admitted),
  );
