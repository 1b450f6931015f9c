import type { LimitCase, Variant } from '../judging/limit-case.ts';
import type { Judged, Reading } from '../reading.ts';
import type { ScopeName } from './scope.ts';

/** The scopes of a limit for which only the scope is unknown, not what counts. */
interface Scopes<S extends Judged> {
  /** As the profile declares it. */
  readonly declared: ScopeName;
  /** What the profile says about it. True: no other scope is possible. Absent: as if true where a reading is declared. */
  readonly isKnown?: boolean | undefined;
  /** Scopes that may be the true one, the narrowest first. */
  readonly possible: readonly ScopeName[];
  /** For the case that nothing is declared: what is too much under this scope is too much under every one. */
  readonly narrowest: ScopeName;
  readonly slicesOf: (scope: ScopeName) => Variant<S>;
}

/** @param reading the declared reading; undefined if none is declared */
export function scopedCase<S extends Judged>(
  limit: Pick<LimitCase<S>, 'limit' | 'family' | 'every' | 'bounds' | 'wasSeenFull'>,
  reading: Reading<S> | undefined,
  { declared, isKnown, possible, narrowest, slicesOf }: Scopes<S>,
): LimitCase<S> {
  const common = {
    ...limit,
    asDeclared: slicesOf(declared),
    elsewhere: possible
      .filter((scope) => scope !== declared)
      .reverse()
      .map(slicesOf),
  };
  const declares = reading
    ? { ...common, declared: reading.name, readings: [reading] }
    : { ...common, declared: 'unknown', readings: limit.family };
  if (reading && isKnown !== false) return declares;
  // Reuses what was judged as declared for the extremes; once forgotten, it would have to be computed again.
  const only = { ...common.asDeclared, forget: () => undefined };
  const unknown = isKnown
    ? { narrowest: only, widest: only, others: [] }
    : { narrowest: slicesOf(narrowest), widest: slicesOf('address'), others: possible.map(slicesOf) };
  return { ...declares, unknown };
}
