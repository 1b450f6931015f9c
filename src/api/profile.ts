import { z } from 'zod';
import { ClientSettings } from './client-settings.ts';
import { count, DeclaredLimits, positive } from './declared-limits.ts';
import type { LimitName } from './limits.ts';
import { operationIds, operations } from './operations.ts';
import { DurationText, EnvironmentReference, LatencyDistribution } from './values.ts';

/** No word may stand for two things. */
const apart = (lists: Readonly<Record<string, unknown>>): boolean => {
  const words = Object.values(lists).flatMap((list) => (Array.isArray(list) ? [...new Set(list)] : []));
  return new Set(words).size === words.length;
};

/** The specification lists no codes: these are the embedded sandbox's. */
const ownCodes: Readonly<Record<LimitName, readonly string[]>> = {
  rate: ['rate_limited'],
  concurrency: ['concurrency_limited'],
  daily: ['daily_quota_exceeded'],
};

/** What is no address is told by its shape. */
function isBare(address: string): boolean {
  if (!URL.canParse(address)) return true;
  const { username, password, search, hash } = new URL(address);
  return `${username}${password}${search}${hash}` === '';
}

const Clock = z.strictObject({
  driftPpm: z
    .number()
    .min(0)
    .max(100_000)
    .default(500)
    .describe("How far the service's clock may run fast or slow, in parts per million."),
  granularity: DurationText.prefault('1s').describe("Resolution of the service's timers."),
  maxServerDelay: DurationText.prefault('30s').describe(
    'Longest time after sending at which the service may still act on a request without an answer.',
  ),
});

/**
 * The target profile: how one service settles what the specification leaves open (design.md section 7). Every default is the
 * sandbox's choice, so an empty profile describes the sandbox, apart from what only an address can say.
 */
export const TargetProfileSchema = z.strictObject({
  name: z.string().min(1).default('sandbox').describe('Name of the service in reports.'),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .refine(isBare, 'must have no credentials, query or fragment; give credentials in environment variables')
    .optional()
    .describe('Base address; `--target` overrides it. Absent: the embedded sandbox.'),
  credentials: z
    .strictObject({ clientId: EnvironmentReference, clientSecret: EnvironmentReference })
    .optional()
    .describe(
      'Environment variables that hold the application credentials. Absent: SPILLWAY_CLIENT_ID and SPILLWAY_CLIENT_SECRET.',
    ),
  limits: DeclaredLimits.prefault({}),
  limitOrder: z
    .array(z.enum(['rate', 'daily', 'concurrency']))
    .refine(
      (order) => new Set(order).size === 3 && order.length === 3,
      'must name each limit once; write for example [rate, daily, concurrency]',
    )
    .default(['rate', 'daily', 'concurrency']),
  errorCodes: z
    .strictObject({
      rate: z.array(z.string()).default([...ownCodes.rate]),
      concurrency: z.array(z.string()).default([...ownCodes.concurrency]),
      daily: z.array(z.string()).default([...ownCodes.daily]),
      known: z
        .boolean()
        .optional()
        .describe(
          'True: a code of these lists is used for its limit alone. False: it may be used for others as well, until the history shows codes of those. Absent: true of codes that differ from the defaults, false of these.',
        ),
    })
    .refine(
      apart,
      'one code stands for two limits; leave it in the list of the one that it names, or out of all where it is used for several',
    )
    .prefault({})
    .describe('Error codes of a 429 by the limit that they name. Empty lists: the service does not say.'),
  history: z
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
      defaultLimit: z.int().min(1).max(100).default(20),
      offsetFrom: z.enum(['oldest', 'newest']).default('oldest').describe('From which end the offset skips messages.'),
      keptFor: positive
        .optional()
        .describe(
          "How long after a message's acceptance the history shows it and its answer, once a poll has shown its turn completed; a page that is not full is the last one. Absent: not promised, as the specification says nothing of it; what is missing is told and proves nothing.",
        ),
    })
    .prefault({}),
  turns: z
    .strictObject({
      open: z.array(z.string()).default(['queued', 'processing']).describe('Statuses of a turn that is not finished.'),
      completed: z.array(z.string()).min(1).default(['completed']),
      failed: z.array(z.string()).default(['failed']),
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
    .prefault({}),
  stream: z
    .strictObject({
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
        .prefault({}),
    })
    .nullable()
    .prefault({})
    .describe('The WebSocket stream of a turn; null where the service has none.'),
  success: z
    .partialRecord(z.enum(operationIds), z.array(z.int().min(100).max(299)).min(1))
    .refine(
      // It is open all the same, and would be opened once more beside itself.
      ({ openStream }) => openStream?.includes(operations.openStream.success) ?? true,
      { path: ['openStream'], message: 'must name 101: a WebSocket is open with that status and no other' },
    )
    .default({})
    .describe(
      'Statuses of success per operation, where they differ from 201, 201, 202, 200, 101, 200, 200; that of openStream must be among them.',
    ),
  idempotency: z
    .strictObject({
      scope: z
        .enum(['conversation', 'user', 'application'])
        .optional()
        .describe(
          'Within what a client_message_id stands for one message. Absent: unknown; what is only wrong within one scope or beyond it is not proven.',
        ),
      sameTurn: z.boolean().optional().describe('Whether a resend must return the same turn. Absent: not promised.'),
      otherContent: z
        .enum(['refused', 'ignored', 'unknown'])
        .default('unknown')
        .describe('How the service answers other content under a used id.'),
    })
    .prefault({}),
  tokens: z
    .strictObject({
      defaultLifetime: DurationText.prefault('15min').describe(
        'How long a token lives where the service does not say, or says it otherwise than as a positive number of seconds (expires_in).',
      ),
    })
    .prefault({}),
  maxBodyBytes: z.int().min(1).default(65_536),
  exclusive: z.boolean().default(false).describe('True: nobody else uses these credentials during a run.'),
  flushed: z
    .strictObject({
      rate: z.boolean().default(false),
      concurrency: z.boolean().default(false),
      daily: z.boolean().default(false),
    })
    .prefault({})
    .describe('True, per limit: its window is empty when a run starts.'),
  clock: Clock.prefault({}),
  client: ClientSettings.prefault({}),
  budget: z
    .strictObject({ requests: count.optional(), messages: count.optional() })
    .default({})
    .describe(
      'Most requests of any kind, and most attempts to send a message. A plan that would send more is refused, and a run ends before it does.',
    ),
  accepted: z
    .array(z.strictObject({ violation: z.string(), reason: z.string().min(1) }))
    .default([])
    .describe(
      'Known violations (rate, concurrency, daily, or the kind of a finding) that do not fail a run, each with its reason.',
    ),
});

/** A profile with every open point settled. Durations are milliseconds. */
export type TargetProfile = z.infer<typeof TargetProfileSchema>;

/** The embedded sandbox's own profile: fresh, exclusive, and exact about its clock. */
export function sandboxProfile(): TargetProfile {
  return TargetProfileSchema.parse({
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    clock: { driftPpm: 0, granularity: '1ms', maxServerDelay: '30s' },
    history: { keptFor: '7d' },
    idempotency: { sameTurn: true, otherContent: 'refused' },
    client: { deadline: '10s' },
  });
}

/** The limit that an error code names; `undefined` where the profile maps it to none. */
export function limitOfErrorCode(
  profile: Pick<TargetProfile, 'errorCodes'>,
  code: string | undefined,
): LimitName | undefined {
  if (code === undefined) return undefined;
  return (['rate', 'concurrency', 'daily'] as const).find((limit) => profile.errorCodes[limit].includes(code));
}

/**
 * Whether a code that names a limit rules out every other. Of a default that nobody need have looked at it does not: a service may
 * have one code for all of its 429s, and call it so.
 */
export const namesNoOther = (
  { errorCodes }: Pick<TargetProfile, 'errorCodes'>,
  limit: LimitName,
  code: string,
): boolean => errorCodes.known ?? !ownCodes[limit].includes(code);
