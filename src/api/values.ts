import { z } from 'zod';
import { type Millis, type PerSecond, parseDuration, parseRate } from '../base/index.ts';

/** Ten years in milliseconds: longer than any sensible setting, and far below the 285 years that microseconds represent exactly. */
export const LONGEST_DURATION = 3_650 * 86_400_000;

/**
 * What depends on how fast time passes: of what takes ten times as long, durations are multiplied by ten and rates divided by it. What is
 * made of such a value by refining or describing it is timed, too.
 */
export const timed = z.registry<{ readonly change: 'multiply' | 'divide' }>();

/** A duration in a configuration file: `250ms`, `1.5s`, `2min`, `1h30m`, `1d`, or `0`. Parsed to milliseconds. */
export const DurationText = z
  .union([z.string(), z.literal(0)])
  .transform((text, context): Millis => {
    const parsed = parseDuration(String(text));
    if (parsed !== undefined && parsed <= LONGEST_DURATION) return parsed;
    const wrong = parsed === undefined ? 'is not a duration' : 'is longer than ten years';
    context.addIssue({ code: 'custom', message: `"${text}" ${wrong}; write for example 250ms, 1.5s, 2min or 1h` });
    return z.NEVER;
  })
  .meta({ title: 'Duration', description: 'A duration with its unit: 250ms, 1.5s, 2min, 1h30m, 1d; or 0.' })
  .register(timed, { change: 'multiply' });

/** What an editor shows of a duration that must not be 0; that it is not is checked elsewhere. */
export const longerThanZero = {
  title: 'Positive duration',
  description: 'A duration with its unit, longer than 0: 250ms, 1.5s, 2min, 1h30m, 1d.',
};

/** Not zod's `int`: an error of it prevents all refinements of the enclosing object. */
export const wholeNumber = () =>
  z.number().refine(Number.isSafeInteger, 'must be a whole number').meta({ type: 'integer' });

/** A rate in a configuration file: `20/min`, `0.5/s`, `50/day`. Parsed to events per second. */
export const RateText = z
  .string({ error: 'must be a rate with its unit; write for example 20/min, 0.5/s or 50/day' })
  .transform((text, context): PerSecond => {
    const parsed = parseRate(text);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: 'custom', message: `"${text}" is not a rate; write for example 20/min, 0.5/s or 50/day` });
    return z.NEVER;
  })
  .meta({ title: 'Rate', description: 'A rate with its unit: 20/min, 0.5/s, 50/day, 120/h.' })
  .register(timed, { change: 'divide' });

/**
 * Distribution of a latency: a constant or a random variable. A lognormal is given by its median and 95th percentile, which are
 * easier to know than mu and sigma.
 */
export const LatencyDistribution = z
  .discriminatedUnion('distribution', [
    z.strictObject({ distribution: z.literal('constant'), value: DurationText }),
    z.strictObject({ distribution: z.literal('uniform'), min: DurationText, max: DurationText }),
    z.strictObject({
      distribution: z.literal('lognormal'),
      median: DurationText.meta(longerThanZero),
      p95: DurationText.meta(longerThanZero),
    }),
    z.strictObject({ distribution: z.literal('exponential'), mean: DurationText }),
  ])
  .superRefine((latency, context) => {
    if (latency.distribution === 'uniform' && latency.max < latency.min) {
      context.addIssue({ code: 'custom', path: ['max'], message: 'max must not be below min' });
    }
    if (latency.distribution === 'lognormal' && (latency.median <= 0 || latency.p95 <= latency.median)) {
      context.addIssue({ code: 'custom', path: ['p95'], message: 'p95 must be above median, and median above 0' });
    }
  });
export type LatencyDistribution = z.infer<typeof LatencyDistribution>;

/** A secret in a configuration file: always a reference to an environment variable, never the value. */
export const EnvironmentReference = z
  .string()
  .regex(
    /^\$\{env\.[A-Za-z_][A-Za-z0-9_]*\}$/,
    'must name an environment variable, as ${env.NAME}: secrets must not be in files',
  )
  .describe('An environment variable: ${env.NAME}. Never the value.');

/** Any version and variant: the specification requires none, and services use others than those of RFC 9562 section 4. */
export const Uuid = z.guid('Invalid UUID');

/** A UUID in lower case; readers must accept either case (RFC 9562 section 4). */
export const canonicalUuid = (text: string): string => text.toLowerCase();

/** Compares identifiers without regard to case, as UUIDs are compared (RFC 9562 section 4). */
export const isSameUuid = (one: string, other: string): boolean =>
  one === other || canonicalUuid(one) === canonicalUuid(other);

/** No word may stand for two things. */
export const apart = (lists: Readonly<Record<string, unknown>>): boolean => {
  const words = Object.values(lists).flatMap((list) => (Array.isArray(list) ? [...new Set(list)] : []));
  return new Set(words).size === words.length;
};
