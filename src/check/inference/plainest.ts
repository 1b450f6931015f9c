import type { Evidence } from '../evidence/evidence.ts';
import { judgeReading, refutation } from '../judging/judge-reading.ts';
import type { LimitCase, Variant } from '../judging/limit-case.ts';
import type { Judged } from '../reading.ts';
import { canBeFitted, fitted, type Outcome } from './outcome.ts';

/**
 * The same reading in buckets as declared, whatever counts, if it explains everything there; otherwise in the widest in which it does.
 * The verdict stops at the first variant that explains everything, and begins with the narrowest buckets: few requests share one, so
 * little contradicts them.
 */
export function inPlainestBuckets<S extends Judged>(
  outcome: Outcome<S>,
  about: LimitCase<S>,
  evidence: Evidence,
): Outcome<S> {
  const survived = outcome.told.find((one) => !refutation(one));
  if (!survived || survived.scope === about.asDeclared.scope || !canBeFitted(about)) return outcome;
  for (const how of plainestFirst(about)) {
    if (how.scope === survived.scope) return outcome;
    const told = judgeReading(outcome.reading, how, about, evidence);
    if (!refutation(told)) return fitted({ ...outcome, told: [told] }, about);
  }
  return outcome;
}

/** Variants of the declared scope, then those of others, the widest first; one of those that share their slices. */
function plainestFirst<S extends Judged>({ asDeclared, unknown }: LimitCase<S>): readonly Variant<S>[] {
  const others = unknown?.others ?? [];
  const widestFirst = [...new Set(others.map(({ scope }) => scope))].reverse();
  return [asDeclared.scope, ...widestFirst.filter((scope) => scope !== asDeclared.scope)].flatMap((scope) => {
    const all = others.filter((how) => how.scope === scope);
    return all.filter((how, i) => all.findIndex(({ slices }) => slices === how.slices) === i);
  });
}
