import type { LimitVerdict } from '../../check/index.ts';
import type { LimitComparison } from './result.ts';

interface WithLimits {
  readonly limits: readonly LimitVerdict[];
}

/**
 * Compares the verdicts on the limits. A violation is a proof, so one run is enough: a limit that is violated only in runs of the
 * candidate is worse; one that is violated only in runs of the base is better.
 */
export function compareLimits(base: readonly WithLimits[], candidate: readonly WithLimits[]): LimitComparison[] {
  const names = [...new Set([...base, ...candidate].flatMap(({ limits }) => limits.map(({ limit }) => limit)))];
  return names.map((limit): LimitComparison => {
    const violated = (runs: readonly WithLimits[]) =>
      runs.filter(({ limits }) => limits.some((one) => one.limit === limit && one.verdict === 'violated')).length;
    const [before, now] = [violated(base), violated(candidate)];
    const counts = { limit, base: before, candidate: now };
    if (before === 0 && now > 0) {
      const because = `violated in ${now} of ${candidate.length} runs (proven), in none of the base`;
      return { ...counts, verdict: 'worse', because };
    }
    if (before > 0 && now === 0) {
      const because = `violated in ${before} of ${base.length} runs of the base; no violation is proven in the candidate`;
      return { ...counts, verdict: 'better', because };
    }
    if (before > 0) return { ...counts, verdict: 'same', because: 'violated in both (proven)' };
    const reached = (runs: readonly WithLimits[]) =>
      runs.some(({ limits }) => limits.some((one) => one.limit === limit && one.verdict === 'consistent'));
    if (reached(base) && reached(candidate))
      return { ...counts, verdict: 'same', because: 'reached in both, and nothing contradicts it' };
    return { ...counts, verdict: 'cannot tell', because: 'not reached, or evidence is missing' };
  });
}
