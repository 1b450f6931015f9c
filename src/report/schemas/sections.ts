import { z } from 'zod';
import { limitNames, operationIds } from '../../api/index.ts';
import {
  type CapWaitSummary,
  type DailyUse,
  type ErrorCount,
  type ExpectationSummary,
  type FullestDay,
  type FullestWindow,
  type JourneySummary,
  type MessageSummary,
  type MinuteUse,
  type OperationSummary,
  outcomeClasses,
  type RefusalSummary,
} from '../../collect/index.ts';
import { distribution, LatencySchema } from './distribution.ts';
import { count, memberOf, micros, objectOf, share, text } from './parts.ts';

export const operation = z.enum(operationIds);

export const refusalCounts = z
  .record(z.enum([...limitNames, 'unattributed']), count('429s'))
  .describe('429s by the limit that the error code names; unattributed: it names none');

export const OperationSchema = objectOf<OperationSummary>('Operation', 'One operation, or all operations together', {
  count: count('Exchanges: every attempt'),
  byOutcome: z.record(z.enum(outcomeClasses), count('Exchanges')).describe('Exchanges by outcome'),
  statuses: z
    .record(z.string(), count('Exchanges'))
    .describe('Exchanges by HTTP status, without those that have no answer'),
  latency: z
    .partialRecord(z.enum([...outcomeClasses, 'answers']), LatencySchema)
    .describe(
      'By outcome, only outcomes that occurred; answers: success, error and refused together (a gate without an outcome has censored, too); for censored, the time waited',
    ),
  bytes: memberOf<OperationSummary['bytes']>('Bytes moved, headers included; of streams those of their handshakes', {
    sent: count('Bytes sent'),
    received: count('Bytes received'),
  }),
  refusedBy: refusalCounts,
  retries: count('Exchanges with an attempt above 1'),
  expectedErrors: count(
    'Exchanges with an error status that the step expects and without unmet expectations; absent: none',
  ).optional(),
});

export const RefusalsSchema = objectOf<RefusalSummary>('Refusals', 'Refusals; 429 stands for other statuses, too', {
  total: count('429s'),
  share: share('As a share of all exchanges, 0 to 1; absent without exchanges').optional(),
  byLimit: refusalCounts,
  withRetryAfter: count('429s with Retry-After'),
  unattributedCodes: z
    .array(
      memberOf<RefusalSummary['unattributedCodes'][number]>('One code', {
        code: text('Error code; empty: none was sent'),
        count: count('429s'),
      }),
    )
    .describe('Error codes that the profile maps to no limit, at most 20'),
});

export const ErrorSchema = memberOf<ErrorCount>(
  'Exchanges that were neither a success nor a 429, without errors that the step expects',
  {
    operation: operation.describe('Operation of the exchanges'),
    kind: z
      .enum(['failure', 'body', 'status'])
      .describe('failure: no answer; body: it could not be used; status: not a success'),
    what: text('ECONNRESET, deadline, not-json, 500, …'),
    count: count('Exchanges'),
  },
);

export const MessagesSchema = objectOf<MessageSummary>('Messages', 'Messages sent', {
  attempts: count('Exchanges of sendMessage, every attempt'),
  accepted: count(
    'Answered with a status of success, whatever the body, or with another 2xx that names a turn: the service has then accepted the message',
  ),
  newMessages: count('Distinct accepted messages, which the daily quota counts'),
  replays: count('Messages accepted again with the same id and content'),
  unknown: count('Messages with no accepted attempt and at least one without an answer: each may have been accepted'),
});

export const MinuteSchema = memberOf<MinuteUse>("One minute of the service's clock", {
  minute: text('Its start, ISO 8601'),
  admitted: count('Requests that count, answered, neither 429 nor 401 nor 5xx'),
  perhapsAdmitted: count(
    'Requests that count, answered with 5xx: a gateway may have answered before the service counted them',
  ),
  refused: count('429s that name the rate limit, of requests that count'),
});
export const FullestWindowSchema = memberOf<FullestWindow>(
  'The busiest window of the rate limit, in one bucket of its scope, including the warm-up. Windows begin at whole multiples of their length since 1970; a request counts in the window in which it was sent',
  {
    of: text(
      '`application`, `application/user`, `application/user/conversation` or the label of the token, depending on the scope; empty if all are counted together',
    ),
    among: count('Number of such buckets'),
    start: text("Its start on the service's clock, ISO 8601"),
    windowUs: micros("Length of the window, as declared, on the service's clock"),
    admitted: count('Requests that count, answered, neither 429 nor 401 nor 5xx'),
    perhapsAdmitted: count(
      'Requests that count, answered with 5xx: a gateway may have answered before the service counted them',
    ),
    mostAsked: count('Maximum number of requests that count, admitted or refused (by whatever limit), in any window'),
  },
);
export const FullestDaySchema = memberOf<FullestDay>(
  "The UTC day of the service's clock with the most new messages in one bucket of the quota's scope",
  {
    of: text('As `fullestWindow.of`'),
    among: count('Number of such buckets'),
    day: text('2026-11-21'),
    used: count('Distinct new messages accepted, including the warm-up'),
  },
);
export const DaySchema = memberOf<DailyUse>("One UTC day of the service's clock and one application", {
  day: text('2026-11-21'),
  application: text('Label of the application'),
  used: count('Distinct new messages accepted, including the warm-up'),
});
export const CapWaitSchema = objectOf<CapWaitSummary>('CapWait', 'Waiting for one cap of the client', {
  count: count('Exchanges that waited'),
  totalUs: micros('Total'),
  maxUs: micros('Longest'),
});

export const JourneySchema = objectOf<JourneySummary>('Journey', 'One journey of the scenario', {
  byOutcome: z.record(z.enum(['completed', 'stopped', 'interrupted']), count('Journeys')).describe('How they ended'),
  duration: distribution('From start to end'),
  stoppedAt: z
    .array(
      memberOf<JourneySummary['stoppedAt'][number]>('One reason', {
        operation: operation.describe('Operation at which they stopped'),
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
    .describe('Present if journeys with expectations began, but no answer could be checked'),
  examples: z
    .array(
      memberOf<ExpectationSummary['examples'][number]>('One', {
        seq: count('Exchange'),
        worker: count('Worker of the exchange; absent in a run with one').optional(),
        operation: operation.describe('Operation of the exchange'),
        sentence: text('The unmet expectation'),
      }),
    )
    .describe('The first ten unmet expectations'),
});
