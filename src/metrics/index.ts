/**
 * metrics/ knows the names, types, units and tags of everything this project measures, in one typed table; the grammar of gates,
 * which is k6's with some additions; and what a number of samples allows to conclude (bounds of percentiles and shares). A leaf:
 * it must not know any record, collector or exporter, so that a scenario's gates can be checked against it, with line numbers,
 * before anything runs.
 */
export {
  type Aggregation,
  type Expression,
  expressionPattern,
  type Operator,
  parseAggregation,
  printAggregation,
} from './grammar/expression.ts';
export { aggregationFaults, writtenAggregations } from './grammar/fit.ts';
export {
  type Gate,
  type GateFault,
  type GateOptions,
  gateDemand,
  gateName,
  type LimitDemand,
  type LimitGate,
  limitDemands,
  type MetricGate,
  parseGate,
  plainOptions,
  printGate,
  splitGate,
} from './grammar/gate.ts';
export { type ReadGates, type RecordedGates, readGates, recordGates } from './grammar/record.ts';
export {
  gateNames,
  type LimitTag,
  limitGateNames,
  parseSelector,
  printSelector,
  type Selector,
} from './grammar/selector.ts';
export {
  type Batch,
  batchError,
  CONFIDENCE,
  highestCarried,
  holmAdjusted,
  leastP,
  pairedShift,
  pairsNeeded,
  percentileRanks,
  type RankBounds,
  type Shift,
  samplesForLowerBound,
  samplesForUpperBound,
  shareBounds,
  unpairedShift,
} from './statistics/index.ts';
export { type Metric, type MetricName, type MetricType, metricNames, metricOf, metrics, tagsOf } from './table.ts';
export type { KnownTags, TagName } from './tags.ts';
