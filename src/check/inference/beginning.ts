import { type LimitCase, type Variant, variant } from '../limit-case.ts';
import type { Judged } from '../reading.ts';

/**
 * The same limit, of the attempts alone that may have been decided before an instant. Such a beginning is a history of its own, and
 * what it rules out, the whole one rules out.
 * @param most so many attempts, and those of the same instant
 */
export function beginningOf<S extends Judged>(about: LimitCase<S>, most: number): LimitCase<S> | undefined {
  const { before, asDeclared, elsewhere, unknown } = about;
  if (!before) return undefined;
  const endUs = instantAfter(most, asDeclared.slices());
  // Variants that share their slices still do.
  const begun = new Map<Variant<S>['slices'], Variant<S>>();
  const of = (how: Variant<S>): Variant<S> => {
    const { scope, counts, slices } = how;
    const known =
      begun.get(slices) ?? variant(scope, counts, () => slices().flatMap((slice) => before(slice, endUs) ?? []));
    begun.set(slices, known);
    return { ...known, scope, counts };
  };
  return {
    ...about,
    asDeclared: of(asDeclared),
    elsewhere: elsewhere.map(of),
    ...(unknown && {
      unknown: { narrowest: of(unknown.narrowest), widest: of(unknown.widest), others: unknown.others.map(of) },
    }),
  };
}

/** @returns ∞ if there are no more */
function instantAfter<S extends Judged>(most: number, slices: readonly S[]): number {
  const begins = new Float64Array(slices.reduce((sum, { size }) => sum + size, 0));
  let at = 0;
  for (const { from, size } of slices) for (let i = 0; i < size; i++) begins[at++] = from[i] as number;
  return begins.sort()[most] ?? Number.POSITIVE_INFINITY;
}
