import type { OpenTurns, TurnSummary } from '../../collect/index.ts';
import { DistributionSchema, distribution } from './distribution.ts';
import { count, memberOf, objectOf, text } from './parts.ts';

const OpenTurnsSchema = objectOf<OpenTurns>('OpenTurns', 'Turns in process at once', {
  maxCertain: count('At some instant at least this many were in process'),
  maxPossible: count('At no instant more than this many of the accepted turns were'),
  fullest: memberOf<NonNullable<OpenTurns['fullest']>>(
    'The same of the one who had the most, of those for whom the limit is counted; absent where none were open',
    {
      of: text('As `fullestWindow.of`'),
      among: count('How many such buckets there were'),
      maxCertain: count('As above'),
      maxPossible: count('As above'),
    },
  ).optional(),
});

export const TurnsSchema = objectOf<TurnSummary>('Turns', 'Turns of accepted messages', {
  accepted: count('Turns accepted, by any 2xx that names them'),
  completed: count('Completed'),
  failed: count('Failed: the service said so'),
  unfinished: count('Not seen to finish'),
  regressed: count('Seen open after having been seen finished'),
  polls: count('Reads of a status'),
  completion: distribution(
    'From acceptance to the first observation of completion; only completed turns whose acceptance is known (no earlier attempt lacks its answer)',
  ),
  completionByStream: distribution('The same, for turns whose completion was first seen on the stream'),
  completionByPoll: distribution('The same, for turns whose completion was first seen by a poll'),
  completionBounds: memberOf<NonNullable<TurnSummary['completionBounds']>>(
    'The least and the most that the service can have taken, if a poll showed the completion',
    {
      shortest: DistributionSchema.describe('The least'),
      longest: DistributionSchema.describe('The most'),
    },
  ).optional(),
  firstEvent: distribution('From the acceptance to the first event of the stream'),
  firstDelta: distribution('From the acceptance to the first part of the answer'),
  pollAfterStream: distribution(
    'How much later the poll showed the completion than the stream, for turns followed by both',
  ),
  serverLatency: distribution("The service's own metadata.latency_ms, in µs"),
  open: OpenTurnsSchema,
});
