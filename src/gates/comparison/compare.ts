import type { LimitVerdict } from '../../check/index.ts';
import { holmAdjusted } from '../../metrics/index.ts';
import { compareLimits } from './compare-limits.ts';
import type { ComparedMetric } from './compared-metric.ts';
import { COMPARISON_FORMAT, COMPARISON_VERSION, type Comparison, type Slack } from './result.ts';
import { measureShift, type RoundValues } from './shift.ts';
import { judgeMetric } from './verdict.ts';

/** One run as far as it is compared. */
export interface ComparedRun {
  readonly runId: string;
  /** One for each of the metrics; `undefined` where its samples do not carry it. */
  readonly values: readonly (number | undefined)[];
  readonly limits: readonly LimitVerdict[];
}

/** Runs of one kind, in the order of their rounds. */
export interface ComparedRuns {
  readonly name: string;
  readonly runs: readonly ComparedRun[];
  /** Rounds that are left out of it, as a run of them was invalid; default 0. */
  readonly leftOut?: number;
}

export interface ComparedCandidate extends ComparedRuns {
  /** Its round i was interleaved with the base's round i. */
  readonly interleaved: boolean;
  /** What else differs, and was allowed to. */
  readonly differs: readonly string[];
}

/**
 * Compares candidates with a base, metric by metric, rounds being the unit: what happens within one round is one piece of
 * evidence, however many requests it holds. Holm's correction is over all metrics of all candidates, so that of everything that
 * is called better or worse, at most one time in twenty anything is so by chance.
 */
export function compareRuns(
  metrics: readonly ComparedMetric[],
  base: ComparedRuns,
  candidates: readonly ComparedCandidate[],
  slack: Slack,
): Comparison {
  const measured = candidates.map((candidate) =>
    metrics.map((metric, index) => measureShift(metric, roundsOf(base, candidate, index))),
  );
  // What cannot come to any p-value but 1 takes no part in the correction (Tarone 1990): it can be no mistake.
  const tested = measured.flat().filter(({ shift, leastP }) => shift !== undefined && leastP < 1);
  const corrected = holmAdjusted(tested.map(({ shift }) => shift?.p ?? 1));
  const compared = candidates.map((candidate, at) => {
    const judged = metrics.map((metric, index) => {
      const one = measured[at]?.[index] ?? { base: [], candidate: [], leastP: 1 };
      const pCorrected = corrected[tested.indexOf(one)] ?? 1;
      const tests = Math.max(1, tested.length);
      return judgeMetric(metric, one, { slack, pCorrected, tests, paired: candidate.interleaved });
    });
    const limits = compareLimits(base.runs, candidate.runs);
    return {
      name: candidate.name,
      runs: candidate.runs.map(({ runId }) => runId),
      interleaved: candidate.interleaved,
      differs: candidate.differs,
      ...leftOutOf(candidate),
      metrics: judged,
      limits,
      regressed: [...judged, ...limits].some(({ verdict }) => verdict === 'worse'),
    };
  });
  return {
    format: COMPARISON_FORMAT,
    version: COMPARISON_VERSION,
    base: { name: base.name, runs: base.runs.map(({ runId }) => runId), ...leftOutOf(base) },
    candidates: compared,
    slack,
    regressed: compared.some(({ regressed }) => regressed),
  };
}

const leftOutOf = ({ leftOut = 0 }: ComparedRuns) => (leftOut === 0 ? {} : { leftOut });

const roundsOf = (base: ComparedRuns, candidate: ComparedCandidate, index: number): RoundValues => ({
  base: base.runs.map(({ values }) => values[index]),
  candidate: candidate.runs.map(({ values }) => values[index]),
  paired: candidate.interleaved,
});
