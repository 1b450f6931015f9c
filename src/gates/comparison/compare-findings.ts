import type { Proof } from '../../check/index.ts';
import type { FindingComparison } from './result.ts';

interface WithProofs {
  /** Violated limits are compared by `compareLimits`. */
  readonly limits: readonly { readonly limit: string }[];
  readonly proven: readonly Proof[];
}

/** Compares what is proven besides violated limits. As with those, one run is enough. */
export function compareFindings(base: readonly WithProofs[], candidate: readonly WithProofs[]): FindingComparison[] {
  const runs = [...base, ...candidate];
  const limits = new Set(runs.flatMap((run) => run.limits.map(({ limit }) => limit)));
  const names = new Set(runs.flatMap(({ proven }) => proven.map(({ violation }) => violation)));
  return [...names]
    .filter((name) => !limits.has(name))
    .map((finding) => {
      const provenIn = (side: readonly WithProofs[]) =>
        side.filter(({ proven }) => proven.some(({ violation }) => violation === finding)).length;
      const [before, now] = [provenIn(base), provenIn(candidate)];
      const counts = { finding, base: before, candidate: now };
      if (before === 0)
        return {
          ...counts,
          verdict: 'worse',
          because: `proven in ${now} of ${candidate.length} runs, in none of the base`,
        };
      if (now === 0)
        return {
          ...counts,
          verdict: 'better',
          because: `proven in ${before} of ${base.length} runs of the base, in none of the candidate`,
        };
      return { ...counts, verdict: 'same', because: 'proven in both' };
    });
}
