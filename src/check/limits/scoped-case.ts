import type { LimitCase, Variant } from '../limit-case.ts';
import type { Judged, Reading } from '../reading.ts';
import type { ScopeName } from '../scope.ts';

/** Of a limit that counts the same everywhere: what is unknown of it is who counts together. */
interface Scopes<S extends Judged> {
  /** As the profile declares it. */
  readonly declared: ScopeName;
  /** Whether the profile says that it is known: then no other is possible. */
  readonly isKnown: boolean;
  /** Those that may be the true one, the narrowest first. */
  readonly possible: readonly ScopeName[];
  /** Where nothing is declared: what is too much there is too much everywhere. */
  readonly narrowest: ScopeName;
  readonly slicesOf: (scope: ScopeName) => Variant<S>;
}

/** @param reading the declared one; undefined where none is */
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
  if (reading) return { ...common, declared: reading.name, readings: [reading] };
  // What was judged as declared need not be made again for the extremes, as it would once they are forgotten.
  const only = { ...common.asDeclared, forget: () => undefined };
  const unknown = isKnown
    ? { narrowest: only, widest: only, others: [] }
    : { narrowest: slicesOf(narrowest), widest: slicesOf('address'), others: possible.map(slicesOf) };
  return { ...common, declared: 'unknown', readings: limit.family, unknown };
}
