import type { z } from 'zod';
import { isRecord } from '../base/index.ts';
import {
  isRateAlgorithm,
  type LimitScope,
  limitDefaults,
  limitScopes,
  type RateParameter,
  rateAlgorithmNames,
  rateAlgorithms,
} from './limit-kinds.ts';
import type { OperationId } from './operations.ts';

/** Unvalidated settings: the rules also run if other members are invalid, so any member may have any type. */
type Loose = Readonly<Record<string, unknown>>;
const loose = (value: unknown): Loose => (isRecord(value) ? value : {});

/** A rule over several members, checked even if other members are invalid. */
interface Rule {
  readonly path: string;
  readonly holds: (settings: Loose) => boolean;
  readonly message: (settings: Loose) => string;
}

const algorithmOf = ({ algorithm = limitDefaults.rate.algorithm }: Loose) => String(algorithm);
const having = (parameter: RateParameter) =>
  rateAlgorithmNames.filter((name) => (rateAlgorithms[name] as readonly string[]).includes(parameter));

const belongs = (parameter: RateParameter): Rule => ({
  path: parameter,
  holds: (settings) => {
    const algorithm = algorithmOf(settings);
    return settings[parameter] === undefined || !isRateAlgorithm(algorithm) || having(parameter).includes(algorithm);
  },
  message: (settings) => `does not apply to ${algorithmOf(settings)}; it belongs to ${having(parameter).join(', ')}`,
});

const numberOr = (value: unknown, fallback: number) => (Number.isFinite(value) ? (value as number) : fallback);
const windowUs = ({ window }: Loose) => Math.round(numberOr(window, limitDefaults.rate.window) * 1_000);
const maxOf = ({ max }: Loose) => numberOr(max, limitDefaults.rate.max);

/** The algorithms compute in integer fractions of a microsecond, which are exact only up to 2^53. */
function isExact(settings: Loose): boolean {
  const [max, window, algorithm] = [maxOf(settings), windowUs(settings), algorithmOf(settings)];
  const units =
    algorithm === 'sliding-counter'
      ? max
      : isRateAlgorithm(algorithm) && having('burst').includes(algorithm)
        ? Math.max(max, numberOr(settings.burst, max))
        : 0;
  return units * window <= Number.MAX_SAFE_INTEGER;
}

/** Operations that come before what a limit of this scope counts by exists: it never counts them. */
const uncounted: Readonly<Record<LimitScope, readonly OperationId[]>> = {
  application: [],
  address: [],
  user: ['issueToken'],
  token: ['issueToken'],
  conversation: ['issueToken', 'createConversation'],
};
const isScope = (scope: unknown): scope is LimitScope => limitScopes.some((one) => one === scope);

const countingRules: readonly Rule[] = [
  {
    path: 'operations',
    holds: ({ scope, operations }) =>
      !Array.isArray(operations) ||
      operations.length === 0 ||
      !isScope(scope) ||
      !operations.every((operation) => uncounted[scope].includes(operation)),
    message: ({ scope, operations }) =>
      `counts nothing: ${(operations as string[]).join(' and ')} come${(operations as string[]).length > 1 ? '' : 's'} before there is a ${scope}`,
  },
];

const rateRules: readonly Rule[] = [
  ...countingRules,
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
    message: () => 'does not apply to semaphore; it belongs to lease',
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
export const withRateRules = <Schema extends z.ZodType>(schema: Schema) => withRules(schema, rateRules);
export const withCountingRules = <Schema extends z.ZodType>(schema: Schema) => withRules(schema, countingRules);
export const withLeaseRules = <Schema extends z.ZodType>(schema: Schema) => withRules(schema, leaseRules);
