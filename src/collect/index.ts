/**
 * collect/ turns the records of a history into numbers: latency, turn completion, refusals, waiting, drops, use of the limits,
 * health of the generator. Each collector is a pure fold with the same result live and from disk, and can be merged. It is the
 * only room that imports the histogram library. It must not know how numbers are judged or shown, and nothing here may serve as
 * evidence against a service, because numbers are rounded (check/ reads the raw records).
 */

export { SHORTEST_OF_CPU_US } from './collectors/generator-health.ts';
export type { AcceptedMessage } from './collectors/messages.ts';
export { RunContext } from './context.ts';
export { ScheduleLag } from './generator/schedule-lag.ts';
export { samplesNeeded } from './histograms/histogram.ts';
export { type Measurements, measure, type NamedHistogram } from './measure.ts';
export type { IntervalRow, TurnRow } from './rows.ts';
export { type MetricQuery, MetricSeries } from './series/metric-series.ts';
export { pooled, type Reading, type TrendSamples } from './series/reading.ts';
export type { WindowReading } from './series/sliding.ts';
export { RateUse, surelyAdmitted, type WindowUse } from './service/rate-use.ts';
export { bucketOf, slotScopeOf, slotsOf } from './service/scope.ts';
export { hasOwnSpeed } from './service/service-clock.ts';
export {
  type Bottleneck,
  type CapWaitSummary,
  type DailyUse,
  type DeclaredLimits,
  type Distribution,
  type ErrorCount,
  type ExpectationSummary,
  type FullestDay,
  type FullestWindow,
  failuresIn,
  type GeneratorHealth,
  type JourneySummary,
  type Knee,
  type Latency,
  type MessageSummary,
  type MinuteUse,
  type OpenTurns,
  type OperationSummary,
  type OutcomeClass,
  outcomeClasses,
  type Percentile,
  type PercentileBounds,
  type PercentileName,
  percentileNames,
  plannedEnds,
  type RefusalCounts,
  type RefusalSummary,
  type RunFacts,
  type StageState,
  type StageSummary,
  SUMMARY_FORMAT,
  SUMMARY_VERSION,
  type Summary,
  stageStates,
  type TurnSummary,
  wasSentLate,
} from './summary.ts';
