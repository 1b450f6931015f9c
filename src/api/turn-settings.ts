import { z } from 'zod';
import { positive } from './declared-limits.ts';
import { apart, DurationText, LatencyDistribution } from './values.ts';

/* How a service tells of turns: by polls, by a stream and in the history of a conversation. */

export const Turns = z
  .strictObject({
    open: z.array(z.string()).default(['queued', 'processing']).describe('Statuses of a turn that is not finished.'),
    queued: z
      .array(z.string())
      .optional()
      .describe(
        'Those of open with which a turn certainly waits. Absent: queued, where open has it and processing does not.',
      ),
    processing: z
      .array(z.string())
      .optional()
      .describe(
        'Those of open with which a turn is certainly in process and waits for nothing. Absent: processing, in_progress and running, where open has them and queued does not. With a status in neither list it may be either: then polls do not prove that it holds a slot of a service that may count only turns in process (limits.concurrency).',
      ),
    completed: z.array(z.string()).min(1).default(['completed']),
    failed: z
      .array(z.string())
      .default(['failed'])
      .describe(
        'Statuses of a turn that has ended otherwise. One that the service may try again holds its slot meanwhile: put its status into open.',
      ),
    staleFor: DurationText.prefault('0').describe(
      'How long a poll may still show a status that a turn has left, of a service that answers from copies. A poll then only proves the status of that much earlier; a turn that a poll shows open after its end was seen proves nothing.',
    ),
    assumed: LatencyDistribution.prefault({ distribution: 'lognormal', median: '2s', p95: '8s' }).describe(
      'Assumed duration of a turn, for cost forecasts and pacing only.',
    ),
  })
  .refine(
    ({ open, completed, failed }) => apart({ open, completed, failed }),
    'one status stands in two of open, completed and failed; leave it in one',
  )
  .refine(
    ({ open, queued = [], processing = [] }) =>
      apart({ queued, processing }) && [...queued, ...processing].every((status) => open.includes(status)),
    'queued and processing divide what open has; name each status there, and in one of the two at most',
  )
  .prefault({})
  .describe('Of a turn, as polls show it.');

export const Stream = z
  .strictObject(
    {
      path: z
        .string()
        .refine(
          (path) => path.startsWith('/') && path.includes('{turn_id}'),
          'must begin with / and hold {turn_id}; write for example /api/partners/v1/turns/{turn_id}/stream',
        )
        .default('/api/partners/v1/turns/{turn_id}/stream'),
      events: z
        .strictObject({
          status: z.array(z.string()).default(['turn.status']),
          delta: z.array(z.string()).default(['answer.delta']),
          completed: z.array(z.string()).default(['turn.completed']),
          failed: z.array(z.string()).default(['turn.failed']),
        })
        .prefault({})
        .describe('Types of its events, by what they tell.'),
    },
    {
      error: ({ code }) =>
        code === 'invalid_type'
          ? 'must be an object; it takes path and events, or write null where the service has none'
          : undefined,
    },
  )
  .nullable()
  .prefault({})
  .describe('The WebSocket stream of a turn; null where the service has none.');

export const History = z
  .strictObject({
    limitParameter: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Name of the query parameter for the number of messages on a page, which the specification does not tell. Absent: unknown; `limit` is tried, and what is told of pages proves nothing.',
      ),
    offsetParameter: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Name of the query parameter for the number of messages to skip. Absent: unknown; `offset` is tried, and what is told of later pages proves nothing.',
      ),
    defaultLimit: z.int().min(1).max(100).default(20).describe('Messages on a page where a request names no limit.'),
    offsetFrom: z.enum(['oldest', 'newest']).default('oldest').describe('From which end the offset skips messages.'),
    keptFor: positive
      .optional()
      .describe(
        "How long after a message's acceptance the history shows it and its answer, once a poll has shown its turn completed; a page that is not full is the last one. Absent: not promised, as the specification says nothing of it; what is missing is told and proves nothing.",
      ),
  })
  .prefault({})
  .describe('How the messages of a conversation are read.');
