import { type ReadingJudgement, refutation } from '../judging/judge-reading.ts';
import { attemptsOf, type LimitCase, variantOf } from '../judging/limit-case.ts';
import type { Judged, Reading } from '../reading.ts';
import { fittingNumbers } from './numbers.ts';

/** The result for one reading under the variants that were tried. */
export interface Outcome<S extends Judged> {
  readonly reading: Reading<S>;
  readonly told: readonly ReadingJudgement[];
  readonly isRefuted: boolean;
}

/** With more attempts, no other numbers are searched: each costs a judgement. */
export const MOST_FITTED = 5_000;

export const canBeFitted = <S extends Judged>(about: LimitCase<S>): boolean => attemptsOf(about) <= MOST_FITTED;

/** Adds the numbers that the surviving variants allow, if there are few enough attempts to search. */
export function fitted<S extends Judged>(outcome: Outcome<S>, about: LimitCase<S>): Outcome<S> {
  if (!canBeFitted(about)) return outcome;
  const { reading, told } = outcome;
  return {
    ...outcome,
    told: told.map((one) => {
      const how = refutation(one) ? undefined : variantOf(about, one);
      return how
        ? { ...one, parameters: { ...one.parameters, ...fittingNumbers(reading, how.slices(), about.bounds) } }
        : one;
    }),
  };
}
