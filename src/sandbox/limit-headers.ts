import type { Micros } from '../base/index.ts';
import type { Refused, Standing } from './gate/index.ts';

type Headers = Readonly<Record<string, string>>;

/** Whole seconds from `now` to `at`, rounded up, so that a client that waits for them is never too early. */
const secondsUntil = (at: Micros, now: Micros) => Math.ceil((at - now) / 1_000_000);

const item = (name: string, remaining: number, at: Micros | undefined, now: Micros) =>
  `"${name}";r=${remaining}${at === undefined ? '' : `;t=${secondsUntil(at, now)}`}`;

/** An answer may leave after the decision if a limit delays it. If the reset has passed by then, it is reported as 0 s. */
function standing({ rule, decision: { remaining, resetAtUs } }: Standing, now: Micros): string {
  return item(rule.name, remaining, resetAtUs && (Math.max(resetAtUs, now) as Micros), now);
}

/**
 * `RateLimit` and `RateLimit-Policy` of an answer, as Lists of structured fields (draft-ietf-httpapi-ratelimit-headers-10):
 * the limits that the request met, with what they have left afterwards. Empty if it met none.
 * @param now when the answer leaves
 */
export function limitHeaders(standings: readonly Standing[], now: Micros): Headers {
  if (standings.length === 0) return {};
  return {
    'ratelimit-policy': standings.map(({ rule }) => rule.policy).join(', '),
    ratelimit: standings.map((each) => standing(each, now)).join(', '),
  };
}

/**
 * The same for a 429, with `Retry-After` (RFC 9110 section 10.2.3) in service seconds. Only the limit that refuses is named,
 * because Retry-After should not be earlier than any `t`. A limit that does not advise sends neither Retry-After nor `t`.
 * @param waitedUs between the decision and the answer, which an earlier limit has delayed; 0 if none has
 * @param now when the answer leaves
 */
export function refusedHeaders({ rule, retryAtUs }: Refused, waitedUs: number, now: Micros): Headers {
  // Only a defect names an instant before the decision.
  const at = rule.advises ? ((waitedUs > 0 ? Math.max(retryAtUs, now) : retryAtUs) as Micros) : undefined;
  return {
    'ratelimit-policy': rule.policy,
    ratelimit: item(rule.name, 0, at, now),
    ...(at !== undefined && { 'retry-after': String(secondsUntil(at, now)) }),
  };
}
