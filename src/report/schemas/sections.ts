import { z } from 'zod';
import { limitNames, operationIds } from '../../api/index.ts';
import {
  type Bottleneck,
  type CapWaitSummary,
  type DailyUse,
  type ErrorCount,
  type ExpectationSummary,
  type FullestDay,
  type FullestWindow,
  type GeneratorHealth,
  type JourneySummary,
  type MessageSummary,
  type MinuteUse,
  type OperationSummary,
  outcomeClasses,
  type RefusalSummary,
} from '../../collect/index.ts';
import { DistributionSchema, distribution, LatencySchema } from './distribution.ts';
import { count, flag, memberOf, micros, objectOf, share, text } from './parts.ts';

export const operation = z.enum(operationIds);

export const refusalCounts = z
  .record(z.enum([...limitNames, 'unattributed']), count('429s'))
  .describe('429s by the limit that the error code names; unattributed: it names none');

export const OperationSchema = objectOf<OperationSummary>('Operation', 'One operation, or all together', {
  count: count('Exchanges: every attempt'),
  byOutcome: z.record(z.enum(outcomeClasses), count('Exchanges')).describe('Exchanges by outcome'),
  statuses: z
    .record(z.string(), count('Exchanges'))
    .describe('Exchanges by HTTP status, without those that had no answer'),
  latency: z
    .partialRecord(z.enum([...outcomeClasses, 'answers']), LatencySchema)
    .describe(
      'By outcome, only outcomes that occurred; answers: success, error and refused together; for censored, the time waited',
    ),
  bytes: memberOf<OperationSummary['bytes']>('Bytes moved', {
    sent: count('Bytes sent'),
    received: count('Bytes received'),
  }),
  refusedBy: refusalCounts,
  retries: count('Exchanges with an attempt above 1'),
  expectedErrors: count(
    'Exchanges with an error status that the step expects, and no expectation unmet; absent: none',
  ).optional(),
});

export const RefusalsSchema = objectOf<RefusalSummary>('Refusals', 'Answers with status 429', {
  total: count('429s'),
  share: share('Of all exchanges, 0 to 1; absent without exchanges').optional(),
  byLimit: refusalCounts,
  withRetryAfter: count('429s that carried Retry-After'),
  unattributedCodes: z
    .array(
      memberOf<RefusalSummary['unattributedCodes'][number]>('One code', {
        code: text('Error code; empty: none was sent'),
        count: count('429s'),
      }),
    )
    .describe('Error codes that the profile maps to no limit, at most 20'),
});

export const ErrorSchema = memberOf<ErrorCount>('Exchanges that were neither a success nor a 429', {
  operation,
  kind: z
    .enum(['failure', 'body', 'status'])
    .describe('failure: no answer; body: it could not be used; status: other than success'),
  what: text('ECONNRESET, deadline, not-json, 500, …'),
  count: count('Exchanges'),
});

export const MessagesSchema = objectOf<MessageSummary>('Messages', 'Messages sent', {
  attempts: count('Exchanges of sendMessage, every attempt'),
  accepted: count(
    'Answered with success, or with another 2xx that names a turn: the service has then accepted the message',
  ),
  newMessages: count('Distinct accepted messages: what the daily quota counts'),
  replays: count('Accepted again under the same id with the same content'),
  unknown: count('Messages with no accepted attempt and at least one without an answer: each may have been accepted'),
});

export const MinuteSchema = memberOf<MinuteUse>("One minute of the service's clock", {
  minute: text('Its start, ISO 8601'),
  admitted: count('Requests that count, answered, neither 429 nor 401'),
  refused: count('429s that name the limit of requests per minute'),
});
export const FullestWindowSchema = memberOf<FullestWindow>(
  'The busiest window of the rate limit, in one bucket of its scope',
  {
    of: text(
      '`application`, `application/user` or `application/user/conversation`, depending on the scope; empty if all are counted together',
    ),
    among: count('How many such buckets there were'),
    start: text("Its start on the service's clock, ISO 8601"),
    windowUs: micros('Its length, as the limit is declared'),
    admitted: count('Requests that count, answered, neither 429 nor 401'),
    mostAsked: count('The most that were admitted or refused by the rate limit in any window'),
  },
);
export const FullestDaySchema = memberOf<FullestDay>(
  "The UTC day of the service's clock with the most new messages in one bucket of the quota's scope",
  {
    of: text('As `fullestWindow.of`'),
    among: count('How many such buckets there were'),
    day: text('2026-11-21'),
    used: count('Distinct new messages accepted, the warm-up included'),
  },
);
export const DaySchema = memberOf<DailyUse>("One UTC day of the service's clock and one application", {
  day: text('2026-11-21'),
  application: text('Label of the application'),
  used: count('Distinct new messages accepted'),
});
export const CapWaitSchema = objectOf<CapWaitSummary>('CapWait', 'Waiting for one cap of the client', {
  count: count('Exchanges that waited'),
  totalUs: micros('Summed'),
  maxUs: micros('Longest'),
});

export const JourneySchema = objectOf<JourneySummary>('Journey', 'One journey of the scenario', {
  byOutcome: z.record(z.enum(['completed', 'stopped', 'interrupted']), count('Journeys')).describe('How they ended'),
  duration: distribution('From start to end'),
  stoppedAt: z
    .array(
      memberOf<JourneySummary['stoppedAt'][number]>('One reason', {
        operation,
        because: text('A status or a failure'),
        count: count('Journeys'),
      }),
    )
    .describe('Where and why journeys stopped'),
});

export const ExpectationsSchema = objectOf<ExpectationSummary>('Expectations', "Expectations of the scenario's steps", {
  checked: count('Checked'),
  unmet: count('Not met'),
  neverChecked: z
    .literal(true)
    .optional()
    .describe('Journeys with expectations were begun, but no answer could be checked; absent otherwise'),
  examples: z
    .array(
      memberOf<ExpectationSummary['examples'][number]>('One', {
        seq: count('Exchange'),
        worker: count('Whose exchange; absent of the first worker').optional(),
        operation,
        sentence: text('What was not met'),
      }),
    )
    .describe('The earliest ten that were not met'),
});

const BottleneckSchema = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('lag'),
    percentile: z.enum(['p50', 'p99']),
    us: micros('How late requests left'),
    allowedUs: micros('Allowed'),
  }),
  z.strictObject({
    what: z.literal('event-loop'),
    us: micros('How late the loop typically was'),
    allowedUs: micros('Allowed'),
  }),
  z.strictObject({
    what: z.literal('late-drops'),
    count: count('Arrivals dropped as late'),
    of: count('Arrivals'),
    allowedShare: share('Allowed'),
  }),
  z.strictObject({
    what: z.literal('local-failure'),
    failure: text('Its code'),
    count: count('Requests'),
  }),
]) satisfies z.ZodType<Bottleneck>;

export const HealthSchema = objectOf<GeneratorHealth>('Health', "The generator's own condition", {
  intervals: count('Health records'),
  bottlenecks: z
    .array(BottleneckSchema)
    .describe('Where the generator, not the service, determined the result; absent if the history has no thresholds')
    .optional(),
  enforced: flag('Whether a run with bottlenecks is invalid').optional(),
  eventLoopTypicalUs: micros(
    "Median of the intervals' median event-loop delays; with several workers, that of the worst one",
  ).optional(),
  eventLoopP99MaxUs: micros("Highest 99th percentile of the event loop's delay in one interval").optional(),
  cpuShareMean: share('CPU time divided by wall time, for one worker; 1 is one core busy all the time').optional(),
  cpuShareMax: share('Its highest interval').optional(),
  gcUs: micros('Garbage collection').optional(),
  gcMaxUs: micros('Its longest pause').optional(),
  backlogMax: count('Records not yet on the disk, the most').optional(),
  connectionQueueMax: count('Requests that waited for a free connection, the most at once').optional(),
  unasked: count('Connections closed because bytes arrived that no request had asked for; absent if none').optional(),
  scheduleLag: distribution('How late the generator itself sent, without waits for caps and without polls'),
  workers: count('Workers that sent; absent for one').optional(),
  worstLag: objectOf<NonNullable<GeneratorHealth['worstLag']>>(
    'WorstLag',
    'With several workers, the one with the highest average lag',
    { worker: count('Which one'), scheduleLag: DistributionSchema.describe('As scheduleLag, of its requests') },
  ).optional(),
});
