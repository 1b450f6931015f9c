export { type ComparedCandidate, type ComparedRun, type ComparedRuns, compareRuns } from './compare.ts';
export { type ComparedMetric, comparedMetric, comparedValue, printCompared } from './compared-metric.ts';
export {
  type CandidateComparison,
  COMPARISON_FORMAT,
  COMPARISON_VERSION,
  type Comparison,
  type ComparisonVerdict,
  type Difference,
  type FindingComparison,
  type LimitComparison,
  type MetricComparison,
  type Slack,
} from './result.ts';
export { roundsFor } from './verdict.ts';
export { differenceText, estimateText, pointsText, valueText } from './words.ts';
