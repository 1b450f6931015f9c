import { z } from 'zod';
import {
  type Day,
  type LimitName,
  type LimitScope,
  limitDefaults,
  limitSettings,
  type OperationId,
  operationIds,
  type SlotKind,
  type slidingCounterVariants,
} from '../../api/index.ts';
import type { Millis } from '../../base/index.ts';
import { Duration } from './duration.ts';

/** The algorithm of a rate limit with its parameters. Durations are in milliseconds. */
type RateCounting =
  | { readonly algorithm: 'fixed-window'; readonly phase: Millis }
  | { readonly algorithm: 'fixed-window-first-request' }
  | { readonly algorithm: 'fixed-window-block'; readonly block: Millis }
  | { readonly algorithm: 'sliding-log' }
  | { readonly algorithm: 'sliding-log-attempts' }
  | {
      readonly algorithm: 'sliding-counter';
      readonly phase: Millis;
      readonly variant: (typeof slidingCounterVariants)[number];
    }
  | { readonly algorithm: 'token-bucket' | 'gcra' | 'leaky-queue'; readonly burst: number }
  | {
      readonly algorithm: 'token-bucket-per-tick' | 'token-bucket-per-window';
      readonly burst: number;
      readonly phase: Millis;
    };

/** The name, size and scope of a limit, and which requests it counts. */
interface Counting {
  /** Its name in RateLimit and RateLimit-Policy. Unique. */
  readonly name: string;
  readonly max: number;
  readonly scope: LimitScope;
  readonly operations: readonly OperationId[];
  readonly countsInvalid: boolean;
  readonly countsReplays: boolean;
  readonly countsRefusedLater: boolean;
}
export type RateLimit = Counting & RateCounting & { readonly window: Millis };
export type DailyLimit = Counting & { readonly day: Day };
export type ConcurrencyLimit = Pick<Counting, 'name' | 'max' | 'scope'> & {
  readonly slot: SlotKind;
  readonly retryAfter: 'exact' | 'absent';
} & ({ readonly algorithm: 'semaphore' } | { readonly algorithm: 'lease'; readonly ttl: Millis });

/** The limits of a service with every default filled in. If there are several of a kind, all are checked, in this order. */
export interface LimitsConfig {
  readonly order: readonly LimitName[];
  readonly rate: readonly RateLimit[];
  readonly concurrency: readonly ConcurrencyLimit[];
  readonly daily: readonly DailyLimit[];
}

const written = limitSettings(Duration);
type Written<Name extends 'rate' | 'concurrency' | 'daily'> = z.output<(typeof written)[Name]>;
/** Makes lists in settings readonly, so that constants can be passed. */
type Constant<Settings> = {
  readonly [Member in keyof Settings]: Settings[Member] extends readonly (infer Item)[] | undefined
    ? readonly Item[] | undefined
    : Settings[Member];
};
/** One limit, or a list of up to eight. A number stands for a limit with that maximum. */
type OneOrMore<Settings> = number | Settings | readonly Settings[];
/** The limits as a caller writes them. */
export interface LimitsSettings {
  readonly order?: readonly LimitName[] | undefined;
  readonly rate?: OneOrMore<Constant<z.input<typeof written.rate>>> | undefined;
  readonly concurrency?: OneOrMore<Constant<z.input<typeof written.concurrency>>> | undefined;
  readonly daily?: OneOrMore<Constant<z.input<typeof written.daily>>> | undefined;
}

const MOST_STACKED = 8;

/**
 * Turns every form into a list. A check of one shape gives a precise error, where a union of three shapes would report all
 * three. `parseSettings` removes the index from the path again.
 */
const stacked = <Settings extends z.ZodType>(settings: Settings) =>
  z.preprocess((value) => {
    if (typeof value === 'number') return [{ max: value }];
    return Array.isArray(value) ? value : [value];
  }, z.array(settings).max(MOST_STACKED));

export const Limits = z
  .strictObject({
    order: written.order,
    rate: stacked(written.rate).prefault([{}]),
    concurrency: stacked(written.concurrency).prefault([{}]),
    daily: stacked(written.daily).prefault([{}]),
  })
  .refine(
    (limits) => {
      const names = [...limits.rate, ...limits.concurrency, ...limits.daily].flatMap(({ name }) => name ?? []);
      return new Set(names).size === names.length;
    },
    { error: 'each name may occur only once' },
  )
  .transform(filledIn) as unknown as z.ZodType<LimitsConfig, LimitsSettings>;

function filledIn(limits: {
  readonly order?: readonly LimitName[] | undefined;
  readonly rate: readonly Written<'rate'>[];
  readonly concurrency: readonly Written<'concurrency'>[];
  readonly daily: readonly Written<'daily'>[];
}): LimitsConfig {
  const all = [...limits.rate, ...limits.concurrency, ...limits.daily];
  const taken = new Set(all.flatMap(({ name }) => name ?? []));
  /** The first unused name of `base`, `base-scope`, `base-scope-2`, … */
  const nameOf = (
    base: string,
    { name, scope = 'application' }: { name?: string | undefined; scope?: LimitScope | undefined },
  ) => {
    if (name !== undefined) return name;
    const candidates = [
      base,
      `${base}-${scope}`,
      ...Array.from({ length: 3 * MOST_STACKED }, (_, i) => `${base}-${scope}-${i + 2}`),
    ];
    const free = candidates.find((candidate) => !taken.has(candidate)) ?? base;
    taken.add(free);
    return free;
  };
  return {
    order: limits.order ?? limitDefaults.order,
    rate: limits.rate.map((each) =>
      rateLimit(each, nameOf(each.window === undefined || each.window === 60_000 ? 'minute' : 'window', each)),
    ),
    concurrency: limits.concurrency.map((each) => concurrencyLimit(each, nameOf('slots', each))),
    daily: limits.daily.map((each) => dailyLimit(each, nameOf('day', each))),
  };
}

function rateLimit(settings: Written<'rate'>, name: string): RateLimit {
  const { max = limitDefaults.rate.max, window = limitDefaults.rate.window } = settings;
  return {
    name,
    max,
    window,
    ...rateCounting(settings, max, window),
    scope: settings.scope ?? 'application',
    operations: settings.operations ?? operationIds.filter((operation) => operation !== 'issueToken'),
    countsInvalid: settings.countsInvalid ?? true,
    countsReplays: settings.countsReplays ?? true,
    countsRefusedLater: settings.countsRefusedLater ?? true,
  };
}

function rateCounting(settings: Written<'rate'>, max: number, window: Millis): RateCounting {
  const { algorithm = limitDefaults.rate.algorithm, burst = max, block = window, variant = 'below' } = settings;
  const phase = (settings.phase ?? 0) as Millis;
  switch (algorithm) {
    case 'fixed-window':
      return { algorithm, phase };
    case 'fixed-window-block':
      return { algorithm, block };
    case 'sliding-counter':
      return { algorithm, phase, variant };
    case 'token-bucket':
    case 'gcra':
    case 'leaky-queue':
      return { algorithm, burst };
    case 'token-bucket-per-tick':
    case 'token-bucket-per-window':
      return { algorithm, burst, phase };
    default:
      return { algorithm };
  }
}

function concurrencyLimit(settings: Written<'concurrency'>, name: string): ConcurrencyLimit {
  const { max = limitDefaults.concurrency.max, slot = limitDefaults.concurrency.slot } = settings;
  const { scope = 'application', retryAfter = 'exact', ttl } = settings;
  const held = ttl === undefined ? ({ algorithm: 'semaphore' } as const) : ({ algorithm: 'lease', ttl } as const);
  return { name, max, ...held, slot, scope, retryAfter };
}

function dailyLimit(settings: Written<'daily'>, name: string): DailyLimit {
  return {
    name,
    max: settings.max ?? limitDefaults.daily.max,
    day: settings.day ?? limitDefaults.daily.day,
    scope: settings.scope ?? 'application',
    operations: settings.operations ?? ['sendMessage'],
    countsInvalid: settings.countsInvalid ?? false,
    countsReplays: settings.countsReplays ?? false,
    countsRefusedLater: settings.countsRefusedLater ?? false,
  };
}
