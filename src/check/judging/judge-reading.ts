import type { Certificate } from '../certificates/certificate.ts';
import { certificateOf } from '../certificates/certificate-of.ts';
import type { Draft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { Part } from '../evidence/slice.ts';
import type { Judged, Parameters, Reading } from '../reading.ts';
import type { Every } from '../readings/every.ts';
import type { ReadingVerdict } from '../verdict.ts';
import { type LimitCase, tellingSlices, type Variant } from './limit-case.ts';

/** The result for one reading under one variant. */
export interface ReadingJudgement {
  readonly reading: string;
  readonly scope: string;
  readonly counts: string;
  readonly overAdmission?: Certificate;
  /** For the first refusal that is certainly this limit's and that the reading cannot explain. */
  readonly wrongfulRefusal?: Certificate;
  /** Computed only if neither engine alone refutes the reading. */
  readonly inconsistent?: Certificate;
  /** Only for a variant with a single bucket: each bucket has its own. */
  readonly parameters?: Parameters;
}

/** Which engines run. For an extreme variant only one of them says something about all other variants. */
export type Engines = 'all' | 'over-admission' | 'wrongful-refusal';

export function judgeReading<S extends Judged>(
  reading: Every<S> & Partial<Pick<Reading<S>, 'inconsistent' | 'parameters'>>,
  how: Variant<S>,
  about: LimitCase<S>,
  evidence: Evidence,
  engines: Engines = 'all',
): ReadingJudgement {
  const { bounds, limit } = about;
  const names = { limit, reading: reading.name, counts: how.counts };
  const firstOf = (engine: (slice: S) => Draft | undefined): Certificate | undefined => {
    for (const slice of tellingSlices(about, how)) {
      const draft = engine(slice);
      if (draft) return certificateOf(draft, names, slice, bounds, evidence);
    }
    return undefined;
  };
  // Under another variant, what need not count does not.
  const mayBeFree = how === about.unknown?.widest ? about.unknown.mayBeFree : undefined;
  const unexplained = (slice: S): Draft | undefined => {
    const position = firstUnexplained(reading, slice, bounds, mayBeFree);
    return position === undefined ? undefined : reading.wrongfulRefusal(slice, bounds, position);
  };
  const overAdmission =
    engines === 'wrongful-refusal' ? undefined : firstOf((slice) => reading.overAdmission(slice, bounds));
  const wrongfulRefusal = engines === 'over-admission' || !bounds.refusals.provable ? undefined : firstOf(unexplained);
  const alone = overAdmission ?? wrongfulRefusal;
  const whole = engines === 'all' && !alone;
  const inconsistent = whole ? firstOf((slice) => reading.inconsistent?.(slice, bounds)) : undefined;
  const only = whole && !inconsistent && how.slices().length === 1 ? how.slices()[0] : undefined;
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

/**
 * Position of the first refusal that is certainly this limit's and that the reading cannot explain.
 * @param mayBeFree whether another limit may have refused a row
 */
export function firstUnexplained<S extends Judged>(
  reading: Pick<Reading<S>, 'unexplained'>,
  slice: S,
  bounds: Bounds,
  mayBeFree: (row: number) => boolean = () => false,
): number | undefined {
  for (const position of reading.unexplained(slice, bounds))
    if (slice.part[position] === Part.refused && !mayBeFree(slice.row[position] as number)) return position;
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
