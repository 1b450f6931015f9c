/**
 * metrics/ has the typed table of all metrics with their types, units and tags; the grammar of gates, which is k6's with some
 * additions; and the statistics of samples (bounds of percentiles and shares, rank tests). It must not know records, collectors
 * or exporters, so that a scenario's gates can be checked before a run, with line numbers.
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
  printWindowedGate,
  splitGate,
  uniqueGates,
  windowText,
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
  CONFIDENCE,
  highestCarried,
  holmAdjusted,
  independentSamples,
  leastPairedP,
  leastUnpairedP,
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
export {
  type Metric,
  type MetricName,
  type MetricType,
  metricNames,
  metricOf,
  metrics,
  type TagName,
  tagsOf,
} from './table.ts';
export type { KnownTags } from './tags.ts';
