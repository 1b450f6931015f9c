import { type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import type { Exchange } from '../history/index.ts';
import type { Policy } from '../scenario/index.ts';
import type { JourneyState } from './journey-state.ts';

type Retry = Extract<Policy, object>['retry'];

/** When to try again; `undefined` when the retries are used up or the advice is too far away to wait for. */
export function retryInstant(
  { world, arrival, step }: JourneyState,
  retry: Retry,
  attempt: number,
  exchange: Exchange | undefined,
): Micros | undefined {
  if (attempt > retry.max) return undefined;
  const { clock, serviceRate, loaded } = world;
  const advised = retry.obeyRetryAfter && exchange ? retryAfterUs(exchange) : undefined;
  if (advised !== undefined && exchange) {
    // Advice counts seconds of the service's clock, from the moment at which the answer was received.
    const waitUs = Math.ceil(advised / serviceRate);
    const tooLong = waitUs > microsFromMillis(retry.retryAfterCeiling);
    return tooLong ? undefined : ((exchange.receivedAt + waitUs) as Micros);
  }
  const { first, factor, ceiling, jitter } = retry.backoff;
  const full = Math.min(first * factor ** (attempt - 1), ceiling);
  const drawn = jitter === 0 ? 0 : seededRandom(loaded.scenario.seed, 'backoff', arrival.index, step, attempt).next();
  return (clock.now() + microsFromMillis(full * (1 - jitter * drawn))) as Micros;
}

/** Begins with a day's name (RFC 9110 section 5.6.7). `Date.parse` alone takes `-5` and `1, 7` for days long past. */
const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;

/**
 * Retry-After as microseconds of the service's clock: delay-seconds, or an HTTP-date against the answer's own Date
 * (RFC 9110 section 10.2.3). `undefined` when absent or unreadable.
 */
export function retryAfterUs({ retryAfter, date }: Pick<Exchange, 'retryAfter' | 'date'>): number | undefined {
  const text = retryAfter?.trim();
  if (text === undefined) return undefined;
  // However many digits: a wait of centuries is advice too, and too long for any ceiling.
  if (/^\d+$/.test(text)) return Number(text) * 1_000_000;
  if (!HTTP_DATE.test(text)) return undefined;
  const until = Date.parse(text);
  const from = Date.parse(date ?? '');
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from) * 1_000;
}
