import { z } from 'zod';
import type { OpenTurns, TurnSummary } from '../../collect/index.ts';
import { DistributionSchema, distribution } from './distribution.ts';
import { count, memberOf, objectOf, text } from './parts.ts';

const OpenTurnsSchema = objectOf<OpenTurns>(
  'OpenTurns',
  'Turns in process at once, after the warm-up; turns that it began count while they are open',
  {
    maxCertain: count('At least this many turns were in process at some instant'),
    maxPossible: count('At most this many of the accepted turns were in process at any instant'),
    fullest: memberOf<NonNullable<OpenTurns['fullest']>>(
      'The same for the fullest bucket of the limit; absent if no turn was open',
      {
        of: text('As `fullestWindow.of`; of a limit per token `application/user`'),
        among: count('Number of such buckets'),
        maxCertain: count('As above'),
        maxPossible: count('As above'),
      },
    ).optional(),
  },
);

export const TurnsSchema = objectOf<TurnSummary>('Turns', 'Turns of accepted messages', {
  accepted: count('Turns accepted, by any 2xx that names them'),
  completed: count('Completed; these, failed and unfinished include turns whose acceptance is not in the history'),
  failed: count('Reported as failed by the service'),
  unfinished: count('Not seen to finish'),
  regressed: count('Seen open after they had been seen finished'),
  polls: count(
    'Number of reads of their status; those of turns of the warm-up are left out even if they came after it, so `operations.readTurn.count` may be higher',
  ),
  completion: distribution(
    'From acceptance to the first observation of completion; only completed turns whose time of acceptance is known (no earlier attempt may have been accepted: none without an answer, with a 5xx, or with a success that names no turn). The acceptance is the instant at which the headers of its answer came',
  ),
  completionByStream: distribution('The same, for turns whose completion was first seen on the stream'),
  completionByPoll: distribution('The same, for turns whose completion was first seen by a poll'),
  completionByMessage: distribution(
    'The same, for turns that the answer to the message (0 µs), or to a resend of it, showed as completed',
  ),
  completionBounds: memberOf<NonNullable<TurnSummary['completionBounds']>>(
    'The shortest and the longest time that the service can have taken, if a poll showed the completion',
    {
      shortest: DistributionSchema.describe('Shortest times'),
      longest: DistributionSchema.describe('Longest times'),
    },
  ).optional(),
  firstEvent: distribution('From the acceptance to the first event of the stream'),
  firstDelta: distribution('From the acceptance to the first part of the answer'),
  pollAfterStream: distribution(
    'How much later than the stream a poll showed the completion, for turns followed by both; 0 if the poll was first',
  ),
  serverLatency: distribution(
    "The service's own metadata.latency_ms, in µs of its own clock, of all turns that have one, failed ones too",
  ),
  open: OpenTurnsSchema,
  brokenStreams: count(
    'Streams that broke off (closed, reset or unreadable) before they had shown the end of their turn, although the client still followed it; absent: none',
  ).optional(),
  unlistedStatuses: z
    .array(
      memberOf<NonNullable<TurnSummary['unlistedStatuses']>[number]>('One status', {
        status: text('As the service wrote it, shortened'),
        count: count('Polls and events of streams that showed it'),
      }),
    )
    .optional()
    .describe(
      "Statuses in none of the profile's `turns.open`, `turns.completed` and `turns.failed`, at most 20: what they mean is unknown; absent: none",
    ),
  unlistedEvents: count(
    "Events of streams of a name that the profile's `stream.events` does not list, or unreadable; absent: none",
  ).optional(),
});
