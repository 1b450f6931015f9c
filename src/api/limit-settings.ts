import { z } from 'zod';
import type { Millis } from '../base/index.ts';
import { limitNames } from './limits.ts';
import { operationIds } from './operations.ts';

/** A setting that only some algorithms of the rate limit have. */
export type RateParameter = 'phase' | 'burst' | 'block' | 'variant';

/** The algorithms of a rate limit, each with the settings that it has besides `max` and `window`. */
export const rateAlgorithms = {
  'fixed-window': ['phase'],
  'fixed-window-first-request': [],
  'fixed-window-block': ['block'],
  'sliding-log': [],
  'sliding-log-attempts': [],
  'sliding-counter': ['phase', 'variant'],
  'token-bucket': ['burst'],
  'token-bucket-per-tick': ['burst', 'phase'],
  'token-bucket-per-window': ['burst', 'phase'],
  gcra: ['burst'],
  'leaky-queue': ['burst'],
} as const satisfies Record<string, readonly RateParameter[]>;
export type RateAlgorithm = keyof typeof rateAlgorithms;
export const rateAlgorithmNames = Object.keys(rateAlgorithms) as [RateAlgorithm, ...RateAlgorithm[]];

export const concurrencyAlgorithms = ['semaphore', 'lease'] as const;
export const days = ['utc', 'token-timezone', 'first-use', 'rolling'] as const;
export const limitScopes = ['application', 'user', 'token', 'conversation', 'address'] as const;
export type LimitScope = (typeof limitScopes)[number];
export const slidingCounterVariants = ['below', 'at-most', 'floored'] as const;

/** What holds where a setting is absent: the specification's numbers, and the sandbox's choices of design.md section 7. */
export const limitDefaults = {
  rate: { max: 20, window: 60_000 as Millis, algorithm: 'fixed-window' },
  concurrency: { max: 2, algorithm: 'semaphore' },
  daily: { max: 50, day: 'utc' },
} as const;

const count = z.int().min(1).max(1_000_000_000);
const Name = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,32}$/, 'must be 1 to 32 letters, digits, dots, hyphens or underscores')
  .optional()
  .describe('Name in RateLimit and RateLimit-Policy; the default tells window and scope.');
const Scope = z
  .enum(limitScopes)
  .optional()
  .describe('Whose requests are counted together; default application. A user is one of an application.');
const Operations = z.array(z.enum(operationIds)).min(1).optional();
const flag = z.boolean().optional();

/**
 * The settings of a service's limits, as people write them: everything optional. Which default fills a gap is for the reader.
 * @param duration what a duration may look like; parsed to milliseconds
 */
export function limitSettings<Duration extends z.ZodType<Millis>>(duration: Duration) {
  const counting = {
    countsInvalid: flag.describe('Whether a request answered 422 or 404 counts; default: for the rate.'),
    countsReplays: flag.describe('Whether a message sent again counts; default: for the rate.'),
    countsRefusedLater: flag.describe(
      'Whether a request counts that this limit admits and a later one refuses; default: for the rate.',
    ),
  };
  const rate = z.strictObject({
    name: Name,
    max: count.optional().describe('Requests admitted per window; default 20.'),
    window: duration.optional().describe('Default 60s.'),
    algorithm: z.enum(rateAlgorithmNames).optional().describe('How requests are counted; default fixed-window.'),
    phase: duration.optional().describe("How long after the clock's own windows these begin; default 0."),
    burst: count.optional().describe('Capacity of a full bucket, or of the queue; default max.'),
    block: duration
      .optional()
      .describe('Penalty from the first refusal on, at least to the end of its window; default the window.'),
    variant: z.enum(slidingCounterVariants).optional().describe('How a sliding counter compares; default below.'),
    scope: Scope,
    operations: Operations.describe('Operations that count; default all with a user token.'),
    ...counting,
  });
  const concurrency = z.strictObject({
    name: Name,
    max: count.optional().describe('Turns in process at once; default 2.'),
    algorithm: z.enum(concurrencyAlgorithms).optional().describe('Default semaphore.'),
    ttl: duration.optional().describe('After this a lease ends, though its turn goes on; needed with lease.'),
    retryAfter: z
      .enum(['exact', 'absent'])
      .optional()
      .describe(
        'Whether a refusal says when the first turn will have finished, which few services know; default exact.',
      ),
    scope: Scope,
  });
  const daily = z.strictObject({
    name: Name,
    max: count.optional().describe('New messages per day; default 50.'),
    day: z.enum(days).optional().describe('When the day turns; default utc.'),
    scope: Scope,
    operations: Operations.describe('Operations that count; default sendMessage.'),
    ...counting,
  });
  return { rate: withRateRules(rate), concurrency: withLeaseRules(concurrency), daily, order: limitOrder };
}

const limitOrder = z
  .array(z.enum(limitNames))
  .refine((order) => order.length === limitNames.length && new Set(order).size === order.length, {
    error: `must name ${limitNames.join(', ')}, each once`,
  })
  .optional()
  .describe('In which order the limits are asked; the first that refuses is named. Default rate, daily, concurrency.');

/** As far as the rules below can rely on it: beside other mistakes, anything may stand anywhere. */
type Loose = Readonly<Record<string, unknown>>;
const loose = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {});

/** A rule over several members, told beside all other mistakes. */
interface Rule {
  readonly path: string;
  readonly holds: (settings: Loose) => boolean;
  readonly message: (settings: Loose) => string;
}

const algorithmOf = ({ algorithm = limitDefaults.rate.algorithm }: Loose) => String(algorithm);
const isKnown = (name: string): name is RateAlgorithm => Object.hasOwn(rateAlgorithms, name);
const having = (parameter: RateParameter) =>
  rateAlgorithmNames.filter((name) => (rateAlgorithms[name] as readonly string[]).includes(parameter));

const belongs = (parameter: RateParameter): Rule => ({
  path: parameter,
  holds: (settings) => {
    const algorithm = algorithmOf(settings);
    return settings[parameter] === undefined || !isKnown(algorithm) || having(parameter).includes(algorithm);
  },
  message: (settings) => `means nothing to ${algorithmOf(settings)}; it belongs to ${having(parameter).join(', ')}`,
});

const numberOr = (value: unknown, fallback: number) => (typeof value === 'number' ? value : fallback);
const windowUs = ({ window }: Loose) => Math.round(numberOr(window, limitDefaults.rate.window) * 1_000);
const maxOf = ({ max }: Loose) => numberOr(max, limitDefaults.rate.max);

/** Counts are kept in whole parts of a microsecond; beyond 2^53 of them they would no longer be exact. */
function isExact(settings: Loose): boolean {
  const [max, window, algorithm] = [maxOf(settings), windowUs(settings), algorithmOf(settings)];
  const units =
    algorithm === 'sliding-counter'
      ? max
      : isKnown(algorithm) && having('burst').includes(algorithm)
        ? Math.max(max, numberOr(settings.burst, max))
        : 0;
  return units * window <= Number.MAX_SAFE_INTEGER;
}

const rateRules: readonly Rule[] = [
  belongs('phase'),
  belongs('burst'),
  belongs('block'),
  belongs('variant'),
  {
    path: 'window',
    holds: (settings) => windowUs(settings) >= 1_000,
    message: () => 'must be at least 1ms',
  },
  {
    path: 'max',
    holds: (settings) => windowUs(settings) < 1_000 || maxOf(settings) <= windowUs(settings),
    message: () => 'must not be more than one per microsecond of the window',
  },
  {
    path: 'window',
    holds: isExact,
    message: (settings) =>
      `is too long for ${algorithmOf(settings)} to count so many requests exactly; use fixed-window or sliding-log`,
  },
];

const leaseRules: readonly Rule[] = [
  {
    path: 'ttl',
    holds: ({ algorithm, ttl }) => algorithm !== 'lease' || ttl !== undefined,
    message: () => 'is missing; a lease needs one, for example ttl: 30s',
  },
  {
    path: 'ttl',
    holds: ({ algorithm, ttl }) => ttl === undefined || algorithm === 'lease',
    message: () => 'means nothing to semaphore; it belongs to lease',
  },
  {
    path: 'ttl',
    holds: ({ ttl }) => typeof ttl !== 'number' || ttl >= 0.001,
    message: () => 'must be at least 1us',
  },
];

const withRules = <Schema extends z.ZodType>(schema: Schema, rules: readonly Rule[]): Schema =>
  rules.reduce<Schema>(
    (ruled, { path, holds, message }) =>
      ruled.refine((value) => holds(loose(value)), {
        path: [path],
        error: (issue) => message(loose(issue.input)),
        when: () => true,
      }) as Schema,
    schema,
  );
const withRateRules = <Schema extends z.ZodType>(schema: Schema) => withRules(schema, rateRules);
const withLeaseRules = <Schema extends z.ZodType>(schema: Schema) => withRules(schema, leaseRules);

/** Which algorithm a profile's reading names; `undefined` for "unknown" and for words that are no algorithm here. */
export const algorithmOfReading = (reading: string): RateAlgorithm | undefined =>
  isKnown(reading) ? reading : undefined;
