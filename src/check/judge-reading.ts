import type { Certificate } from './certificate.ts';
import { certificateOf } from './certificate-of.ts';
import type { Draft } from './draft.ts';
import type { Evidence } from './evidence.ts';
import type { LimitCase, Variant } from './limit-case.ts';
import type { Judged, Parameters, Reading } from './reading.ts';
import { Part } from './slice.ts';
import type { ReadingVerdict } from './verdict.ts';

/** Both engines' word on one reading of one variant. */
export interface ReadingJudgement {
  readonly reading: string;
  readonly scope: string;
  readonly counts: string;
  readonly overAdmission?: Certificate;
  /** Of the first refusal that is surely this limit's and that the reading cannot explain. */
  readonly wrongfulRefusal?: Certificate;
  /** Sought only where neither engine alone refutes. */
  readonly inconsistent?: Certificate;
  /** Only of a variant with one bucket: each has its own. */
  readonly parameters?: Parameters;
}

export function judgeReading<S extends Judged>(
  reading: Reading<S>,
  how: Variant<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): ReadingJudgement {
  const { bounds, limit } = about;
  const names = { limit, reading: reading.name, counts: how.counts };
  const slices = how.slices();
  const firstOf = (engine: (slice: S) => Draft | undefined): Certificate | undefined => {
    for (const slice of slices) {
      const draft = engine(slice);
      if (draft) return certificateOf(draft, names, slice, bounds, evidence);
    }
    return undefined;
  };
  const overAdmission = firstOf((slice) => reading.overAdmission(slice, bounds));
  const wrongfulRefusal = firstOf((slice) => {
    for (const position of reading.unexplained(slice, bounds))
      if (slice.part[position] === Part.refused) return reading.wrongfulRefusal(slice, bounds, position);
    return undefined;
  });
  const alone = overAdmission ?? wrongfulRefusal;
  const inconsistent = alone ? undefined : firstOf((slice) => reading.inconsistent?.(slice, bounds));
  const only = slices.length === 1 && !alone && !inconsistent ? slices[0] : undefined;
  const parameters = only && reading.parameters?.(only, bounds);
  return {
    reading: reading.name,
    scope: how.scope,
    counts: how.counts,
    ...(overAdmission && { overAdmission }),
    ...(wrongfulRefusal && { wrongfulRefusal }),
    ...(inconsistent && { inconsistent }),
    ...(parameters && { parameters }),
  };
}

export const refutation = (judgement: ReadingJudgement): Certificate | undefined =>
  judgement.overAdmission ?? judgement.wrongfulRefusal ?? judgement.inconsistent;

export function readingVerdict(judgement: ReadingJudgement): ReadingVerdict {
  const { reading, scope, counts, parameters } = judgement;
  const certificate = refutation(judgement);
  if (!certificate) return { reading, scope, counts, state: 'survives', ...(parameters && { parameters }) };
  return { reading, scope, counts, state: 'refuted', because: certificate.because, certificate };
}
