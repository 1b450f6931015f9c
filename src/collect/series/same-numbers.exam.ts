import { limitNames, operationIds } from '../../api/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { MetricName, Selector } from '../../metrics/index.ts';
import { failuresIn, outcomeClasses, type Summary } from '../summary.ts';
import { MetricSeries } from './metric-series.ts';
import type { Reading } from './reading.ts';

export const readingsOf = (records: readonly JournalRecord[], queries: readonly Selector[]): Reading[] => {
  const series = new MetricSeries(queries);
  for (const record of records) series.add(record);
  return queries.map((_, index) => series.reading(index));
};
const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Queries, and where the summary has the same number. */
export const pairs: readonly (readonly [MetricName, Selector['tags'], (summary: Summary) => unknown])[] = [
  ...operationIds.flatMap((operation) => [
    ['http_reqs', { operation }, (s: Summary) => s.operations[operation]?.count ?? 0] as const,
    ['retries', { operation }, (s: Summary) => s.operations[operation]?.retries ?? 0] as const,
    ['data_sent', { operation }, (s: Summary) => s.operations[operation]?.bytes.sent ?? 0] as const,
    ['data_received', { operation }, (s: Summary) => s.operations[operation]?.bytes.received ?? 0] as const,
    ...outcomeClasses.flatMap((outcome) => [
      ['http_reqs', { operation, outcome }, (s: Summary) => s.operations[operation]?.byOutcome[outcome] ?? 0] as const,
      [
        'http_req_duration',
        { operation, outcome },
        (s: Summary) => s.operations[operation]?.latency[outcome]?.service,
      ] as const,
      [
        'response_time',
        { operation, outcome },
        (s: Summary) => s.operations[operation]?.latency[outcome]?.response,
      ] as const,
    ]),
  ]),
  ['http_reqs', {}, (s) => s.total.count],
  ['http_reqs', { status: '500' }, (s) => s.total.statuses['500'] ?? 0],
  ['http_req_duration', { outcome: 'success' }, (s) => s.total.latency.success?.service],
  ['http_req_failed', {}, ({ total }) => [failuresIn(total), total.count]],
  ['rate_limited', {}, (s) => [s.refusals.total, s.total.count]],
  ...limitNames.map(
    (limit) => ['rate_limited', { limit }, (s: Summary) => [s.refusals.byLimit[limit], s.total.count]] as const,
  ),
  ['turn_completion', {}, (s) => s.turns.completion],
  ['turn_completion', { by: 'poll' }, (s) => s.turns.completionByPoll],
  ['turn_completion', { by: 'stream', bound: 'observed' }, (s) => s.turns.completionByStream],
  ['turn_completion', { by: 'message' }, (s) => s.turns.completionByMessage],
  ['turn_completion', { bound: 'shortest' }, (s) => s.turns.completionBounds?.shortest],
  ['turn_completion', { bound: 'longest' }, (s) => s.turns.completionBounds?.longest],
  ['turn_completion', { by: 'stream', bound: 'longest' }, () => undefined],
  ['turn_first_event', {}, (s) => s.turns.firstEvent],
  ['turn_first_delta', {}, (s) => s.turns.firstDelta],
  ['turn_poll_lag', {}, (s) => s.turns.pollAfterStream],
  ['turn_server_latency', {}, (s) => s.turns.serverLatency],
  ['turn_failed', {}, ({ turns }) => [turns.failed, turns.failed + turns.completed]],
  ['iterations', {}, (s) => sum(Object.values(s.journeys).flatMap(({ byOutcome }) => Object.values(byOutcome)))],
  ['iterations', { journey: 'ask', outcome: 'completed' }, (s) => s.journeys.ask?.byOutcome.completed ?? 0],
  ['iteration_duration', { journey: 'read' }, (s) => s.journeys.read?.duration],
  ['dropped_iterations', {}, (s) => s.drops.total],
  ['dropped_iterations', { reason: 'cap' }, (s) => s.drops.byReason.cap ?? 0],
  ['checks', {}, ({ expectations: { checked, unmet } }) => [checked - unmet, checked]],
  ['schedule_lag', {}, (s) => s.health.scheduleLag],
  ['event_loop_delay', {}, (s) => s.health.eventLoopP99MaxUs],
  [
    'open_turns',
    { bound: 'possible' },
    (s) => (s.turns.accepted > 0 ? (s.turns.open.fullest?.maxPossible ?? 0) : undefined),
  ],
  [
    'daily_quota_used',
    {},
    (s) => (s.messages.attempts + s.dailyQuota.length > 0 ? (s.fullestDay?.used ?? 0) : undefined),
  ],
  [
    'daily_quota_used',
    { application: 'nobody' },
    (s) => (s.messages.attempts + s.dailyQuota.length > 0 ? 0 : undefined),
  ],
  ['admitted_per_minute', {}, (s) => s.fullestWindow?.admitted],
  // Every exchange of these histories is of one journey.
  ['http_reqs', { journey: 'ask' }, (s) => s.total.count],
  ['http_reqs', { journey: 'read' }, () => 0],
  ['http_req_failed', { journey: 'ask' }, ({ total }) => [failuresIn(total), total.count]],
  ['response_time', { journey: 'read' }, () => undefined],
  ['turn_completion', { journey: 'ask' }, (s) => s.turns.completion],
  ['turn_completion', { journey: 'read' }, () => undefined],
  ...['stair-1', 'stair-2'].flatMap((stage) => {
    const of = (summary: Summary) => summary.stages?.find(({ name }) => name === stage);
    return [
      ['http_reqs', { stage }, (s: Summary) => of(s)?.exchanges ?? 0] as const,
      ['http_reqs', { outcome: 'refused', stage }, (s: Summary) => of(s)?.byOutcome.refused ?? 0] as const,
      ['http_req_duration', { outcome: 'success', stage }, (s: Summary) => of(s)?.latency?.service] as const,
      ['response_time', { outcome: 'success', stage }, (s: Summary) => of(s)?.latency?.response] as const,
      ['rate_limited', { stage }, (s: Summary) => [of(s)?.byOutcome.refused ?? 0, of(s)?.exchanges ?? 0]] as const,
      [
        'rate_limited',
        { limit: 'daily', stage },
        (s: Summary) => [of(s)?.refusedBy.daily ?? 0, of(s)?.exchanges ?? 0],
      ] as const,
      [
        'http_req_failed',
        { stage },
        (s: Summary) => {
          const found = of(s);
          return found ? [failuresIn(found), found.exchanges] : [0, 0];
        },
      ] as const,
      ['iterations', { outcome: 'completed', stage }, (s: Summary) => of(s)?.journeys.completed ?? 0] as const,
      ['dropped_iterations', { stage }, (s: Summary) => of(s)?.dropped ?? 0] as const,
      ['turn_completion', { stage }, (s: Summary) => of(s)?.turns?.completion] as const,
    ];
  }),
];
/** Of the run, or of a stage that is not its last. */
export const measuredUs = ({ run, stages = [] }: Summary, stage: string | undefined): number =>
  stage === undefined ? run.durationUs - run.warmUpUs : (stages.find(({ name }) => name === stage)?.measuredUs ?? 0);

export const queries = pairs.map(([metric, tags]) => ({ metric, tags }));
