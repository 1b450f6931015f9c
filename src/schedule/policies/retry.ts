import { type Micros, microsFromMillis, parseHttpDate, seededRandom } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import { longestBackoff, type Policy } from '../../scenario/index.ts';
import type { JourneyState } from '../journeys/journey-state.ts';

type Retry = Extract<Policy, object>['retry'];

/** What an answer says about whether and when to try again. */
export type Advice = {
  readonly [member in 'retryAfter' | 'date']?: string | undefined;
} & {
  readonly receivedAt: Micros;
  readonly operation?: Exchange['operation'] | undefined;
  readonly status?: number | undefined;
  readonly error?: { readonly retryable?: boolean | undefined } | undefined;
};

/**
 * Whether the service says that trying again is not appropriate. After a 401 another token is tried, which is another request; not
 * if the 401 was to the token request, whose credentials stay the same.
 */
const isFinal = ({ obeyRetryable }: Retry, advice: Advice | undefined): boolean =>
  obeyRetryable && advice?.error?.retryable === false && (advice.status !== 401 || advice.operation === 'issueToken');

/** @returns when to try again, or why not, for the reason that a journey stopped */
export function retryInstant(
  { world, arrival, step }: JourneyState,
  retry: Retry,
  { attempt, member = 0 }: { readonly attempt: number; readonly member?: number | undefined },
  advice: Advice | undefined,
): Micros | 'not retryable' | 'retries used up' | 'Retry-After beyond retryAfterCeiling' {
  if (isFinal(retry, advice)) return 'not retryable';
  if (attempt > retry.max) return 'retries used up';
  const { clock, serviceRate, loaded } = world;
  const advised = retry.obeyRetryAfter && advice ? retryAfterUs(advice) : undefined;
  if (advised !== undefined && advice) {
    // Advice counts in seconds of the service's clock, from the receipt of the answer.
    const waitUs = Math.ceil(advised / serviceRate);
    const tooLong = waitUs > microsFromMillis(retry.retryAfterCeiling);
    return tooLong ? 'Retry-After beyond retryAfterCeiling' : ((advice.receivedAt + waitUs) as Micros);
  }
  const { first, factor, jitter } = retry.backoff;
  const full = Math.min(first * factor ** (attempt - 1), longestBackoff(retry.backoff));
  const drawn =
    jitter === 0 ? 0 : seededRandom(loaded.scenario.seed, 'backoff', arrival.index, step, attempt, member).next();
  // From the receipt, too: the generator's own delay since then is its lag, and belongs to the response time of the retry.
  return ((advice?.receivedAt ?? clock.now()) + microsFromMillis(full * (1 - jitter * drawn))) as Micros;
}

/**
 * Retry-After in microseconds of the service's clock: delay-seconds, or an HTTP-date relative to the answer's own Date (RFC 9110
 * section 10.2.3). `undefined` if absent or unreadable.
 */
export function retryAfterUs({ retryAfter, date }: Pick<Advice, 'retryAfter' | 'date'>): number | undefined {
  const text = retryAfter?.trim();
  if (text === undefined) return undefined;
  // With any number of digits: a wait of centuries is advice too, and exceeds any maximum.
  if (/^\d+$/.test(text)) return Number(text) * 1_000_000;
  const until = parseHttpDate(text);
  const from = parseHttpDate(date ?? '');
  return Number.isNaN(until) || Number.isNaN(from) ? undefined : Math.max(0, until - from) * 1_000;
}
