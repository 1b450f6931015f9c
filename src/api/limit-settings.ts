import { z } from 'zod';
import type { Millis } from '../base/index.ts';
import {
  concurrencyAlgorithms,
  days,
  limitNames,
  limitScopes,
  rateAlgorithmNames,
  slidingCounterVariants,
  slotKinds,
} from './limit-kinds.ts';
import { withCountingRules, withLeaseRules, withRateRules } from './limit-rules.ts';
import { operationIds } from './operations.ts';
import { longerThanZero, wholeNumber } from './values.ts';

const count = wholeNumber().min(1).max(1_000_000_000);
const Name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, hyphens or underscores')
  .optional()
  .describe('Name in the fields RateLimit and RateLimit-Policy; the default is made of window and scope.');
const Scope = z
  .enum(limitScopes)
  .optional()
  .describe('Whose requests are counted together; default application. A user is one of an application.');
const Operations = z.array(z.enum(operationIds)).min(1).optional();
const flag = z.boolean().optional();

/**
 * Schemas of the settings of a service's limits in configuration files. All members are optional; the caller applies the defaults.
 * @param duration schema of a duration, parsed to milliseconds
 */
export const limitSettings = <Duration extends z.ZodType<Millis>>(duration: Duration) => ({
  rate: withRateRules(rateSettings(duration)),
  concurrency: withLeaseRules(concurrencySettings(duration)),
  daily: withCountingRules(DailySettings),
  order: limitOrder,
});

const counting = {
  countsInvalid: flag.describe('Whether a request answered 422 or 404 counts; default: for the rate.'),
  countsReplays: flag.describe('Whether a message sent again counts; default: for the rate.'),
  countsRefusedLater: flag.describe(
    'Whether a request counts that this limit admits and a later one refuses; default: for the rate.',
  ),
};

const rateSettings = <Duration extends z.ZodType<Millis>>(duration: Duration) =>
  z.strictObject({
    name: Name,
    max: count.optional().describe('Requests admitted per window; default 20.'),
    window: duration.meta(longerThanZero).optional().describe('Length of the window; default 60s.'),
    algorithm: z.enum(rateAlgorithmNames).optional().describe('How requests are counted; default fixed-window.'),
    phase: duration.optional().describe('Offset of aligned windows from multiples of the window length; default 0.'),
    burst: count.optional().describe('Capacity of a full bucket, or of the queue; default max.'),
    block: duration
      .optional()
      .describe('Penalty from the first refusal on, at least to the end of its window; default the window.'),
    variant: z.enum(slidingCounterVariants).optional().describe('How a sliding counter compares; default below.'),
    scope: Scope,
    operations: Operations.describe('Operations that count; default all with a user token.'),
    ...counting,
  });

const concurrencySettings = <Duration extends z.ZodType<Millis>>(duration: Duration) =>
  z.strictObject({
    name: Name,
    max: count.optional().describe('Turns in process at once; default 2.'),
    algorithm: z.enum(concurrencyAlgorithms).optional().describe('Default semaphore.'),
    slot: z
      .enum(slotKinds)
      .optional()
      .describe(
        'When a turn takes a slot. With processing-only a message is refused while all slots are taken, and one accepted before waits, queued, until one is free; default accepted-to-finished.',
      ),
    ttl: duration
      .meta(longerThanZero)
      .optional()
      .describe('Duration of a lease, which ends even if its turn still runs; needed with lease.'),
    retryAfter: z
      .enum(['exact', 'absent'])
      .optional()
      .describe(
        'Whether a refusal says when the first turn will have finished, which few services know; default exact.',
      ),
    scope: Scope,
  });

const DailySettings = z.strictObject({
  name: Name,
  max: count.optional().describe('New messages per day; default 50.'),
  day: z.enum(days).optional().describe('When a new day begins; default utc.'),
  scope: Scope,
  operations: Operations.describe('Operations that count; default sendMessage.'),
  ...counting,
});

const limitOrder = z
  .array(z.enum(limitNames))
  .refine((order) => order.length === limitNames.length && new Set(order).size === order.length, {
    error: `must name ${limitNames.join(', ')}, each once`,
  })
  .optional()
  .describe(
    'Order in which the limits are checked; a refusal names the first that refuses. Default rate, daily, concurrency.',
  );
