import type { LimitName, LimitScope, OperationId } from '../../api/index.ts';
import { microsFromMillis } from '../../base/index.ts';
import type { ConcurrencyLimit, DailyLimit, LimitsConfig, RateLimit } from '../config/limits.ts';
import {
  dayFromFirstUse,
  dayOfTokenTimezone,
  fixedWindow,
  fixedWindowFromFirst,
  fixedWindowWithBlock,
  gcra,
  type Limiter,
  leakyQueue,
  processingSlots,
  rollingDay,
  semaphore,
  slidingCounter,
  slidingLog,
  slidingLogOfAttempts,
  tokenBucket,
  tokenBucketPerTick,
  tokenBucketPerWindow,
  utcDay,
} from '../limiters/index.ts';
import { quotaOf, slotsOf } from './quota.ts';
import { keyOf, type Subject } from './subject.ts';

/** One limit with its limiter. */
export interface Rule {
  readonly limit: LimitName;
  /** Its name in RateLimit and RateLimit-Policy. Unique. */
  readonly name: string;
  /** Its item in RateLimit-Policy. */
  readonly policy: string;
  readonly scope: LimitScope;
  /** The key by which a request is counted, from the scope; undefined if the limit does not apply to it. */
  readonly keyOf: (subject: Subject) => string | undefined;
  readonly operations: ReadonlySet<OperationId>;
  readonly countsInvalid: boolean;
  readonly countsReplays: boolean;
  readonly countsRefusedLater: boolean;
  /** Whether a refusal says when to retry. */
  readonly advises: boolean;
  readonly limiter: Limiter;
}

/** The rules in the order in which they are checked. */
export function rulesOf(limits: LimitsConfig): readonly Rule[] {
  const rules: Readonly<Record<LimitName, () => readonly Rule[]>> = {
    rate: () => limits.rate.map(rateRule),
    concurrency: () => limits.concurrency.map(concurrencyRule),
    daily: () => limits.daily.map(dailyRule),
  };
  return limits.order.flatMap((limit) => rules[limit]());
}

function rateRule(limit: RateLimit): Rule {
  const seconds = limit.window / 1_000;
  // `w` must be a whole number of seconds; it is omitted for other windows.
  const policy = `"${limit.name}";q=${limit.max}${Number.isInteger(seconds) ? `;w=${seconds}` : ''}`;
  return { ...counting(limit), limit: 'rate', policy, advises: true, limiter: rateLimiter(limit) };
}

function dailyRule(limit: DailyLimit): Rule {
  const policy = `"${limit.name}";q=${limit.max};w=86400`;
  const make = { utc: utcDay, 'token-timezone': dayOfTokenTimezone, 'first-use': dayFromFirstUse, rolling: rollingDay };
  return { ...counting(limit), limit: 'daily', policy, advises: true, limiter: make[limit.day](limit) };
}

function counting({
  name,
  scope,
  operations,
  countsInvalid,
  countsReplays,
  countsRefusedLater,
}: RateLimit | DailyLimit) {
  return {
    name,
    ...scoped(scope),
    operations: new Set(operations),
    countsInvalid,
    countsReplays,
    countsRefusedLater,
  };
}

const scoped = (scope: LimitScope) => ({ scope, keyOf: (subject: Subject) => keyOf(subject, scope) });

/** A slot belongs to a turn: only an accepted new message takes one. */
function concurrencyRule(limit: ConcurrencyLimit): Rule {
  return {
    limit: 'concurrency',
    name: limit.name,
    policy: `"${limit.name}";q=${limit.max};qu="concurrent-requests"`,
    ...scoped(limit.scope),
    operations: new Set<OperationId>(['sendMessage']),
    countsInvalid: false,
    countsReplays: false,
    countsRefusedLater: false,
    advises: limit.retryAfter === 'exact',
    limiter: limit.slot === 'processing-only' ? processingSlots(slotsOf(limit)) : semaphore(slotsOf(limit)),
  };
}

/** Creates the limiter of a rate limit. */
export function rateLimiter(limit: RateLimit): Limiter {
  const quota = quotaOf(limit);
  switch (limit.algorithm) {
    case 'fixed-window':
      return fixedWindow(quota);
    case 'fixed-window-first-request':
      return fixedWindowFromFirst(quota);
    case 'fixed-window-block':
      return fixedWindowWithBlock({ ...quota, blockUs: microsFromMillis(limit.block) });
    case 'sliding-log':
      return slidingLog(quota);
    case 'sliding-log-attempts':
      return slidingLogOfAttempts(quota);
    case 'sliding-counter':
      return slidingCounter({ ...quota, variant: limit.variant });
    case 'token-bucket':
      return tokenBucket({ ...quota, burst: limit.burst });
    case 'token-bucket-per-tick':
      return tokenBucketPerTick({ ...quota, burst: limit.burst });
    case 'token-bucket-per-window':
      return tokenBucketPerWindow({ ...quota, burst: limit.burst });
    case 'gcra':
      return gcra({ ...quota, burst: limit.burst });
    case 'leaky-queue':
      return leakyQueue({ ...quota, burst: limit.burst });
  }
}
