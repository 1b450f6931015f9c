import type { Evidence } from '../evidence.ts';
import { judgeReading, refutation } from '../judge-reading.ts';
import type { LimitCase, Variant } from '../limit-case.ts';
import type { Judged } from '../reading.ts';
import { canBeFitted, fitted, type Outcome } from './outcome.ts';

/**
 * The same reading in buckets as declared, if it explains everything there when other requests count. The verdict stops at the first
 * variant that explains everything, and begins with the narrowest buckets: few requests share one, so little contradicts them.
 */
export function inDeclaredBuckets<S extends Judged>(
  outcome: Outcome<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): Outcome<S> {
  const { scope } = about.asDeclared;
  const survived = outcome.told.find((one) => !refutation(one));
  if (!survived || survived.scope === scope || !canBeFitted(about)) return outcome;
  for (const how of otherCountings(about)) {
    const told = judgeReading(outcome.reading, how, about, evidence);
    if (!refutation(told)) return fitted({ ...outcome, told: [told] }, about);
  }
  return outcome;
}

/** Variants of the declared scope, one of those that share their slices. */
function otherCountings<S extends Judged>({ asDeclared, unknown }: LimitCase<S>): readonly Variant<S>[] {
  const all = unknown?.others.filter(({ scope }) => scope === asDeclared.scope) ?? [];
  return all.filter((how, i) => all.findIndex(({ slices }) => slices === how.slices) === i);
}
