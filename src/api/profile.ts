import { z } from 'zod';
import { PARSED_ONCE } from '../base/index.ts';
import { ClientSettings } from './client-settings.ts';
import { count, DeclaredLimits } from './declared-limits.ts';
import { ErrorCodes } from './error-codes.ts';
import { limitDefaults } from './limit-kinds.ts';
import { operationIds, operations } from './operations.ts';
import { History, Stream, Turns } from './turn-settings.ts';
import { DurationText, EnvironmentReference } from './values.ts';

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
  granularity: DurationText.prefault('1s').describe(
    "Resolution of the service's timers; also how far apart the clocks of its nodes may be.",
  ),
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
  limits: DeclaredLimits.prefault({}).describe(
    'What the service promises or is said to enforce; what is left out is unknown.',
  ),
  limitOrder: z
    .array(z.enum(limitDefaults.order))
    .refine(
      (order) => new Set(order).size === 3 && order.length === 3,
      'must name each limit once; write for example [rate, daily, concurrency]',
    )
    .optional()
    .describe('Order in which the limits are checked. Absent: unknown.'),
  errorCodes: ErrorCodes,
  history: History,
  turns: Turns,
  stream: Stream,
  success: z
    .partialRecord(z.enum(operationIds), z.array(z.int().min(100).max(299)).min(1))
    .refine(
      // It is open all the same, and would be opened once more beside itself.
      ({ openStream }) => openStream?.includes(operations.openStream.success) ?? true,
      { path: ['openStream'], message: 'must name 101: a WebSocket is open with that status and no other' },
    )
    .default({})
    .describe(
      'Statuses of success per operation, where they differ from 201 (createConversation), 202 (sendMessage), 101 (openStream; must be among them), 200 (readTurn, readHistory), and 200 or 201 (issueToken, rateAnswer).',
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
    .prefault({})
    .describe('What sending a message again under its client_message_id does.'),
  tokens: z
    .strictObject({
      defaultLifetime: DurationText.prefault('15min').describe(
        'How long a token lives where the service does not say, or says it otherwise than as a positive number of seconds (expires_in).',
      ),
    })
    .prefault({})
    .describe("Users' tokens."),
  maxBodyBytes: z.int().min(1).default(65_536).describe('Of the embedded sandbox: a larger body is answered 413.'),
  exclusive: z
    .boolean()
    .default(false)
    .describe(
      'True: nobody else uses these credentials during a run, and no proxy sends a request twice, which may count twice.',
    ),
  flushed: z
    .strictObject({
      rate: z.boolean().default(false),
      concurrency: z.boolean().default(false),
      daily: z.boolean().default(false),
    })
    .prefault({})
    .describe('True, per limit: its window is empty when a run starts.'),
  clock: Clock.prefault({}).describe("The service's clock."),
  client: ClientSettings.prefault({}).describe('How requests are sent.'),
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

/** What the specification settles, and our defaults for all that it leaves open. */
export const usualProfile = (): TargetProfile => TargetProfileSchema.parse({}, PARSED_ONCE);

/** The embedded sandbox's own profile: fresh, exclusive, and exact about its clock. */
export function sandboxProfile(): TargetProfile {
  const settled = {
    exclusive: true,
    flushed: { rate: true, concurrency: true, daily: true },
    clock: { driftPpm: 0, granularity: '1ms', maxServerDelay: '30s' },
    history: { keptFor: '7d' },
    idempotency: { sameTurn: true, otherContent: 'refused' },
    client: { deadline: '10s' },
  };
  return TargetProfileSchema.parse(settled, PARSED_ONCE);
}
