import type { LimitVerdict, Proof } from '../../check/index.ts';
import { holmAdjusted } from '../../metrics/index.ts';
import { compareFindings } from './compare-findings.ts';
import { compareLimits } from './compare-limits.ts';
import type { ComparedMetric } from './compared-metric.ts';
import {
  type CandidateComparison,
  COMPARISON_FORMAT,
  COMPARISON_VERSION,
  type Comparison,
  type MetricComparison,
  type Slack,
} from './result.ts';
import { measureShift, type RoundValues } from './shift.ts';
import { judgeMetric } from './verdict.ts';

/** The compared parts of a run. */
export interface ComparedRun {
  readonly runId: string;
  /** One value per metric; `undefined` if there are too few samples. */
  readonly values: readonly (number | undefined)[];
  readonly limits: readonly LimitVerdict[];
  /** What is proven against the service and not accepted by the profile. */
  readonly proven: readonly Proof[];
}

/** The runs of one side, in the order of their rounds. */
export interface ComparedRuns {
  readonly name: string;
  readonly runs: readonly ComparedRun[];
  /** Number of rounds that are left out because a run of them was invalid; default 0. */
  readonly leftOut?: number;
}

export interface ComparedCandidate extends ComparedRuns {
  /** Whether its round i was interleaved with round i of the base. */
  readonly interleaved: boolean;
  /** Other permitted differences between the runs. */
  readonly differs: readonly string[];
}

/**
 * Compares candidates with a base, metric by metric. A round is one observation, however many requests it has. Holm's correction
 * covers all metrics of all candidates, so the probability of any false "better" or "worse" in the whole comparison is at most 5 %,
 * unless the machine changed between runs that were not interleaved: the test takes their order for chance.
 */
export function compareRuns(
  metrics: readonly ComparedMetric[],
  base: ComparedRuns,
  candidates: readonly ComparedCandidate[],
  slack: Slack,
): Comparison {
  const sides = candidates.map((candidate) => ({
    candidate,
    measured: metrics.map((metric, index) => ({ metric, ...measureShift(metric, roundsOf(base, candidate, index)) })),
  }));
  // Tests whose p-value can only be 1 cannot be false positives, so they are left out of the correction (Tarone 1990).
  const tested = sides.flatMap(({ measured }) => measured).filter(({ leastP }) => leastP < 1);
  const corrected = holmAdjusted(tested.map(({ shift }) => shift?.p ?? 1));
  const tests = Math.max(1, tested.length);
  const compared = sides.map(({ candidate, measured }) => {
    const metrics = measured.map((one) => {
      const pCorrected = corrected[tested.indexOf(one)] ?? 1;
      return judgeMetric(one.metric, one, { slack, pCorrected, tests, paired: candidate.interleaved });
    });
    return candidateComparison(base, candidate, metrics);
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

function candidateComparison(
  base: ComparedRuns,
  candidate: ComparedCandidate,
  metrics: readonly MetricComparison[],
): CandidateComparison {
  const limits = compareLimits(base.runs, candidate.runs);
  const findings = compareFindings(base.runs, candidate.runs);
  return {
    name: candidate.name,
    runs: candidate.runs.map(({ runId }) => runId),
    interleaved: candidate.interleaved,
    differs: candidate.differs,
    ...leftOutOf(candidate),
    metrics,
    limits,
    findings,
    regressed: [...metrics, ...limits, ...findings].some(({ verdict }) => verdict === 'worse'),
  };
}

const leftOutOf = ({ leftOut = 0 }: ComparedRuns) => (leftOut === 0 ? {} : { leftOut });

const roundsOf = (base: ComparedRuns, candidate: ComparedCandidate, index: number): RoundValues => ({
  base: base.runs.map(({ values }) => values[index]),
  candidate: candidate.runs.map(({ values }) => values[index]),
  paired: candidate.interleaved,
});
