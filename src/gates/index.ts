/**
 * gates/ judges a user's requirements for a run: expressions over metrics, and the verdicts on limits; and whether one set of
 * runs is worse than another. Results are pass, fail or undetermined, with the numbers; undetermined if there are too few
 * samples. It must not know journals or how metrics are computed, nor prove anything against a service: readings come from
 * collect/, verdicts from check/.
 */
export {
  type CandidateComparison,
  COMPARISON_FORMAT,
  COMPARISON_VERSION,
  type ComparedCandidate,
  type ComparedMetric,
  type ComparedRun,
  type ComparedRuns,
  type Comparison,
  type ComparisonVerdict,
  comparedMetric,
  comparedValue,
  compareRuns,
  type Difference,
  differenceText,
  estimateText,
  type FindingComparison,
  type LimitComparison,
  type MetricComparison,
  pointsText,
  printCompared,
  roundsFor,
  type Slack,
  valueText,
} from './comparison/index.ts';
export { judgeGates, type RunToJudge } from './judge.ts';
export {
  demandShown,
  GATES_FORMAT,
  GATES_VERSION,
  type GateResult,
  type GatesDocument,
  gateQueries,
  gateShown,
} from './result.ts';
export { failingGate } from './watch.ts';
