import type { Certificate, WrongfulRefusal } from './certificate.ts';
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
  readonly parameters?: Parameters;
  /** Rows of the refusals, this limit's and ambiguous ones, that the reading cannot explain; with their proofs on demand. */
  readonly unexplained: ReadonlyMap<number, () => WrongfulRefusal>;
}

export function judgeReading<S extends Judged>(
  reading: Reading<S>,
  how: Variant<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): ReadingJudgement {
  const { bounds, limit } = about;
  const names = { limit, reading: reading.name, counts: how.counts };
  const certify = (draft: Draft, slice: S) => certificateOf(draft, names, slice, bounds, evidence);
  const unexplained = new Map<number, () => WrongfulRefusal>();
  let overAdmission: Certificate | undefined;
  let wrongfulRefusal: Certificate | undefined;
  let parameters: Parameters | undefined;
  const slices = how.slices();
  for (const slice of slices) {
    const over = overAdmission ? undefined : reading.overAdmission(slice, bounds);
    if (over) overAdmission = certify(over, slice);
    for (const position of reading.unexplained(slice, bounds)) {
      const prove = () => certify(reading.wrongfulRefusal(slice, bounds, position), slice) as WrongfulRefusal;
      unexplained.set(slice.row[position] as number, prove);
      if (slice.part[position] === Part.refused) wrongfulRefusal ??= prove();
    }
    parameters ??= reading.parameters?.(slice, bounds);
  }
  const alone = overAdmission ?? wrongfulRefusal;
  const inconsistent = alone ? undefined : firstInconsistency(reading, slices, about, certify);
  return {
    reading: reading.name,
    scope: how.scope,
    counts: how.counts,
    ...(overAdmission && { overAdmission }),
    ...(wrongfulRefusal && { wrongfulRefusal }),
    ...(inconsistent && { inconsistent }),
    ...(parameters && slices.length === 1 && { parameters }),
    unexplained,
  };
}

function firstInconsistency<S extends Judged>(
  reading: Reading<S>,
  slices: readonly S[],
  { bounds }: LimitCase<S>,
  certify: (draft: Draft, slice: S) => Certificate,
): Certificate | undefined {
  if (!reading.inconsistent) return undefined;
  for (const slice of slices) {
    const draft = reading.inconsistent(slice, bounds);
    if (draft) return certify(draft, slice);
  }
  return undefined;
}

export const refutation = (judgement: ReadingJudgement): Certificate | undefined =>
  judgement.overAdmission ?? judgement.wrongfulRefusal ?? judgement.inconsistent;

export function readingVerdict(judgement: ReadingJudgement): ReadingVerdict {
  const { reading, scope, counts, parameters } = judgement;
  const certificate = refutation(judgement);
  if (!certificate) return { reading, scope, counts, state: 'survives', ...(parameters && { parameters }) };
  return { reading, scope, counts, state: 'refuted', because: certificate.because, certificate };
}
