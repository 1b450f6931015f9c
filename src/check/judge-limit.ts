import type { LimitName } from '../api/index.ts';
import type { Evidence } from './evidence.ts';
import { judgeReading, type ReadingJudgement, readingVerdict, refutation } from './judge-reading.ts';
import type { LimitCase, Variant } from './limit-case.ts';
import type { Judged, Reading } from './reading.ts';
import { Part } from './slice.ts';
import { type Unexplained, unexplainedOf } from './unexplained.ts';
import type { Because, LimitVerdict } from './verdict.ts';

/** A limit's verdict, and what the attribution of refusals needs of it. */
export interface LimitJudgement {
  readonly limit: LimitName;
  /** The verdict, given how many refusals are attributed to this limit. */
  readonly verdict: (attributed: number) => LimitVerdict;
  readonly unexplained: Unexplained;
}

export function judgeLimit<S extends Judged>(about: LimitCase<S>, evidence: Evidence): LimitJudgement {
  const judged = about.readings.map((reading) => judgeVariants(reading, about, evidence));
  const unexplained = unexplainedOf(about, about.unknown?.widest ?? about.asDeclared, evidence);
  return { limit: about.limit, unexplained, verdict: (attributed) => verdictOf(about, judged, attributed, evidence) };
}

/** One reading under every variant that decides. */
interface Variants {
  readonly all: readonly ReadingJudgement[];
  readonly atWidest: ReadingJudgement;
  /** Absent when some variant survives. */
  readonly refuted?: { readonly by: ReadingJudgement; readonly because: Because };
}

function judgeVariants<S extends Judged>(reading: Reading<S>, about: LimitCase<S>, evidence: Evidence): Variants {
  const judge = (how: Variant<S>) => judgeReading(reading, how, about, evidence);
  const declared = judge(about.asDeclared);
  if (!about.unknown) {
    const because = refutation(declared)?.because;
    return { all: [declared], atWidest: declared, ...(because && { refuted: { by: declared, because } }) };
  }
  const narrowest = judge(about.unknown.narrowest);
  const atWidest = judge(about.unknown.widest);
  const all = [narrowest, declared, atWidest];
  if (narrowest.overAdmission) return { all, atWidest, refuted: { by: narrowest, because: 'over-admission' } };
  if (atWidest.wrongfulRefusal) return { all, atWidest, refuted: { by: atWidest, because: 'wrongful-refusal' } };
  if (all.some((one) => !refutation(one))) return { all, atWidest };
  for (const how of about.unknown.others) {
    const other = judge(how);
    all.push(other);
    if (!refutation(other)) return { all, atWidest };
  }
  return { all, atWidest, refuted: { by: declared, because: 'inconsistent' } };
}

function verdictOf<S extends Judged>(
  about: LimitCase<S>,
  judged: readonly Variants[],
  attributed: number,
  evidence: Evidence,
): LimitVerdict {
  const every = (proven: (one: ReadingJudgement) => unknown, extreme: (one: Variants) => ReadingJudgement) =>
    judged.length > 0 && judged.every((one) => proven(extreme(one))) ? 'proven' : 'not-proven';
  const common = {
    limit: about.limit,
    declared: about.declared,
    overAdmission: every(
      (one) => one.overAdmission,
      ({ all }) => all[0] as ReadingJudgement,
    ),
    wrongfulRefusal: every(
      (one) => one.wrongfulRefusal,
      ({ atWidest }) => atWidest,
    ),
    readings: judged.flatMap(({ all }) => all.map(readingVerdict)),
  } as const;
  const refuted = judged.flatMap((one) => (one.refuted ? [one.refuted] : []));
  const first = refuted[0];
  if (first && refuted.length === judged.length) {
    const causes = new Set(refuted.map(({ because }) => because));
    const because = causes.size === 1 ? first.because : 'inconsistent';
    const certificate = refutation(first.by);
    if (certificate) return { ...common, verdict: 'violated', because, certificate };
  }
  if (attributed > 0) return { ...common, verdict: 'consistent' };
  return { ...common, verdict: 'undecided', missing: missingFor(about, evidence) };
}

function missingFor<S extends Judged>({ limit, bounds, asDeclared }: LimitCase<S>, evidence: Evidence): string[] {
  const ambiguous = asDeclared.slices().some(({ part }) => Array.prototype.includes.call(part, Part.ambiguous));
  return [
    ambiguous
      ? `a refusal that is surely by the ${limit} limit: the service does not say which limit its refusals mean`
      : `a refusal: the ${limit} limit was not reached`,
    ...(bounds.refusals.provable ? [] : bounds.refusals.missing),
    ...(evidence.size === 0 ? ['exchanges'] : []),
  ];
}
