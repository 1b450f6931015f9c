import { z } from 'zod';
import { slotKinds } from './limit-kinds.ts';
import { operationIds } from './operations.ts';
import { DurationText } from './values.ts';

export const count = z.int().min(1);

/** Not shorter than the timers of a service may be: 0 would be no window, and no time to answer. */
export const positive = DurationText.refine((ms) => ms >= 1, 'must be at least 1ms; write for example 30s');

const SCOPE =
  'Whose requests are counted together. Certain, even if left at its default, where a reading or a day is named; otherwise see scopeKnown.';

const scopeKnown = () =>
  z
    .boolean()
    .optional()
    .describe(
      'True: the scope of this limit is certain. Absent or false: if the reading is unknown, every scope is tried.',
    );

const RateLimit = z
  .strictObject({
    max: count.default(20).describe('Requests admitted per window.'),
    window: positive.prefault('60s').describe('Length of the window.'),
    reading: z
      .string()
      .default('unknown')
      .describe('The exact meaning, for example sliding-log; "unknown" where the service does not say.'),
    scope: z.enum(['application', 'user', 'token', 'conversation', 'address']).default('application').describe(SCOPE),
    scopeKnown: scopeKnown(),
    counts: z
      .array(z.enum(operationIds))
      .min(1)
      .default(operationIds.filter((id) => id !== 'issueToken'))
      .describe(
        "Operations that count. Certain, even if left at its default, where a reading is named; otherwise token requests and the stream's handshake may count or not.",
      ),
    countsRefused: z.boolean().default(false).describe('Whether refused requests count too.'),
    countsReplays: z.boolean().default(true).describe('Whether resending a message counts as a request.'),
    countsInvalid: z
      .boolean()
      .optional()
      .describe('Whether a request that is answered 404 or 422 counts; absent: unknown.'),
    countsRefusedLater: z
      .boolean()
      .optional()
      .describe('Whether a request that another limit refuses counts; absent: unknown.'),
  })
  .refine(({ max, window }) => window <= 0 || max <= window * 1_000, {
    path: ['max'],
    message: 'must not be more than one per microsecond of the window',
  });
const ConcurrencyLimit = z.strictObject({
  max: count.default(2).describe('Turns in process at once.'),
  slot: z.enum(slotKinds).default('accepted-to-finished'),
  scope: z.enum(['application', 'user', 'token', 'conversation']).default('application').describe(SCOPE),
  scopeKnown: scopeKnown(),
  releaseGrace: DurationText.prefault('0').describe('How long after a turn finished its slot may stay taken.'),
  reading: z.string().default('unknown'),
});
const DailyLimit = z.strictObject({
  max: count.default(50).describe('New messages per day.'),
  day: z
    .enum(['utc', 'token-timezone', 'first-use', 'rolling', 'unknown'])
    .default('unknown')
    .describe('When the day turns.'),
  scope: z.enum(['application', 'user', 'token']).default('application').describe(SCOPE),
  scopeKnown: scopeKnown(),
  reading: z.string().default('unknown'),
});
/** What a profile says of the three limits. */
export const DeclaredLimits = z.strictObject({
  rate: RateLimit.prefault({}),
  concurrency: ConcurrencyLimit.prefault({}),
  daily: DailyLimit.prefault({}),
});
