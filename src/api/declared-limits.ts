import { z } from 'zod';
import { days, limitDefaults, limitScopes, slotKinds } from './limit-kinds.ts';
import { bearerOperationIds, operationIds } from './operations.ts';
import { DurationText, longerThanZero } from './values.ts';

export const count = z.int().min(1);

/** Not shorter than the timers of a service may be: 0 would be no window, and no time to answer. */
export const positive = DurationText.refine((ms) => ms >= 1, 'must be at least 1ms; write for example 30s').meta(
  longerThanZero,
);

const scopeOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z
    .enum(names)
    .optional()
    .describe(
      'Whose requests are counted together. Certain if a reading or a day is named as well; otherwise see scopeKnown. Absent: unknown, and every scope is tried; what is shown or forecast per scope takes application.',
    );

const scopeKnown = () =>
  z
    .boolean()
    .optional()
    .describe(
      'True: the scope of this limit is certain (application if none is named). False: every scope is tried. Absent: certain if the profile names the scope, and a reading or a day.',
    );

/** Fills in a scope that the profile leaves out, and marks it as unknown: a journal's header has only the resolved profile. */
const withScope = <Limit extends { scope?: unknown; scopeKnown?: boolean | undefined }>(limit: Limit) => ({
  ...limit,
  scope: limit.scope ?? ('application' as const),
  ...(limit.scope === undefined && { scopeKnown: limit.scopeKnown ?? false }),
});

const RateLimit = z
  .strictObject({
    max: count.default(limitDefaults.rate.max).describe('Requests admitted per window.'),
    window: positive.prefault('60s').describe('Length of the window.'),
    reading: z
      .string()
      .default('unknown')
      .describe('The exact meaning, for example sliding-log; "unknown" where the service does not say.'),
    scope: scopeOf(limitScopes),
    scopeKnown: scopeKnown(),
    counts: z
      .array(z.enum(operationIds))
      .min(1)
      .optional()
      .describe(
        'Operations that count. Certain if a reading is named as well; otherwise see countsKnown. Absent: everything but token requests, and that is not certain.',
      ),
    countsKnown: z
      .boolean()
      .optional()
      .describe(
        "True: what counts is certain (everything but token requests if nothing is named). False: token requests and the stream's handshake may count or not. Absent: certain if the profile names what counts, and a reading.",
      ),
    countsRefused: z.boolean().default(false).describe('Whether refused requests count too.'),
    countsReplays: z.boolean().optional().describe('Whether resending a message counts as a request; absent: unknown.'),
    countsInvalid: z
      .boolean()
      .optional()
      .describe('Whether a request that is answered 404 or 422 counts; absent: unknown.'),
    countsRefusedLater: z
      .boolean()
      .optional()
      .describe(
        'Whether a request counts that this limit admits and a later one (limitOrder) refuses; absent: unknown.',
      ),
  })
  .refine(({ max, window }) => window <= 0 || max <= window * 1_000, {
    path: ['max'],
    message: 'must not be more than one per microsecond of the window',
  })
  .transform((limit) => ({
    ...withScope(limit),
    counts: limit.counts ?? [...bearerOperationIds],
    ...(limit.counts === undefined && { countsKnown: limit.countsKnown ?? false }),
  }));

const ConcurrencyLimit = z
  .strictObject({
    max: count.default(limitDefaults.concurrency.max).describe('Turns in process at once.'),
    slot: z.enum(slotKinds).default(limitDefaults.concurrency.slot).describe('When a turn takes a slot.'),
    scope: scopeOf(['application', 'user', 'token', 'conversation']),
    scopeKnown: scopeKnown(),
    releaseGrace: DurationText.prefault('0').describe('How long after a turn finished its slot may stay taken.'),
    reading: z.string().default('unknown').describe('The exact meaning; "unknown" where the service does not say.'),
  })
  .transform(withScope);

const DailyLimit = z
  .strictObject({
    max: count.default(limitDefaults.daily.max).describe('New messages per day.'),
    day: z
      .enum([...days, 'unknown'])
      .default('unknown')
      .describe('When the day turns.'),
    scope: scopeOf(['application', 'user', 'token']),
    scopeKnown: scopeKnown(),
    reading: z.string().default('unknown').describe('The exact meaning; "unknown" where the service does not say.'),
  })
  .transform(withScope);

/** What a profile says of the three limits. */
export const DeclaredLimits = z.strictObject({
  rate: RateLimit.prefault({}).describe('Requests per window.'),
  concurrency: ConcurrencyLimit.prefault({}).describe('Turns in process at the same time.'),
  daily: DailyLimit.prefault({}).describe('New messages per day.'),
});
