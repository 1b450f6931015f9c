import type { LimitName } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { SandboxConfig } from './config.ts';
import type { Standing } from './gate.ts';

type Limits = SandboxConfig['limits'];
type Headers = Readonly<Record<string, string>>;

/** Whole seconds from `now` to `at`, rounded up: to obey it is never too early. */
const secondsUntil = (at: Micros, now: Micros) => Math.ceil((at - now) / 1_000_000);

const policyName = (limit: LimitName, limits: Limits): string => {
  if (limit === 'rate') return limits.rate.window === 60_000 ? '"minute"' : '"window"';
  return limit === 'concurrency' ? '"slots"' : '"day"';
};

/** One item of `RateLimit-Policy`; `w` must be whole seconds, so a window that is none goes without. */
function policy(limit: LimitName, limits: Limits): string {
  const name = policyName(limit, limits);
  if (limit === 'concurrency') return `${name};q=${limits.concurrency.max};qu="concurrent-requests"`;
  if (limit === 'daily') return `${name};q=${limits.daily.max};w=86400`;
  const seconds = limits.rate.window / 1_000;
  return `${name};q=${limits.rate.max}${Number.isInteger(seconds) ? `;w=${seconds}` : ''}`;
}

function standing({ limit, decision }: Standing, limits: Limits, now: Micros): string {
  const remaining = decision.admitted ? decision.remaining : 0;
  const at = decision.admitted ? decision.resetAtUs : decision.retryAtUs;
  return `${policyName(limit, limits)};r=${remaining}${at === undefined ? '' : `;t=${secondsUntil(at, now)}`}`;
}

/**
 * `RateLimit` and `RateLimit-Policy` of an answer, as Lists of structured fields (draft-ietf-httpapi-ratelimit-headers-10):
 * the limits that this request met, with what they had left afterwards. Empty when it met none.
 */
export function limitHeaders(standings: readonly Standing[], limits: Limits, now: Micros): Headers {
  if (standings.length === 0) return {};
  return {
    'ratelimit-policy': standings.map(({ limit }) => policy(limit, limits)).join(', '),
    ratelimit: standings.map((each) => standing(each, limits, now)).join(', '),
  };
}

/** The same for a 429, of the refusing limit alone, with `Retry-After` (RFC 9110 section 10.2.3) in service seconds. */
export function refusedHeaders(limit: LimitName, retryAtUs: Micros, limits: Limits, now: Micros): Headers {
  const headers = limitHeaders([{ limit, decision: { admitted: false, retryAtUs } }], limits, now);
  return { ...headers, 'retry-after': String(secondsUntil(retryAtUs, now)) };
}
