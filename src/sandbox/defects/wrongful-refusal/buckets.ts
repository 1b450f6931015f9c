import type { Micros } from '../../../base/index.ts';
import type { RateLimit } from '../../config/limits.ts';
import { burstOf, quotaOf } from '../../gate/index.ts';
import type { Limiter } from '../../limiters/index.ts';
import { type Algorithm, keyed } from '../../limiters/keyed.ts';
import { NEVER, SECOND_US } from '../instants.ts';
import { ofRate } from '../of-limit.ts';

type State = { at: number; tokens: number };
interface Size {
  readonly capacity: number;
  /** Tokens that a correct bucket gains in this many microseconds. */
  readonly gained: (us: number) => number;
}

/** A token bucket that refills wrongly and stores its level at every request. @param refill the level `us` microseconds after it was `tokens` */
function bucket(limit: RateLimit, refill: (tokens: number, us: number, size: Size) => number): Limiter {
  const { max, windowUs } = quotaOf(limit);
  const size: Size = { capacity: burstOf(limit), gained: (us) => (us * max) / windowUs };
  const tokensAt = (state: State | undefined, now: number) =>
    state ? Math.min(size.capacity, refill(state.tokens, now - state.at, size)) : size.capacity;
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const tokens = tokensAt(state, now);
      if (tokens >= 1) return { admitted: true, remaining: Math.floor(tokens) - 1 };
      return { admitted: false, retryAtUs: (now + Math.ceil(((1 - tokens) * windowUs) / max)) as Micros };
    },
    take: (state, { now }) => ({ at: now, tokens: tokensAt(state, now) - 1 }),
    refuse: (state, { now }) => ({ at: now, tokens: tokensAt(state, now) }),
    // A correct bucket can be forgotten once it is full. Here that would repair the defect.
    expiresAt: () => NEVER,
  };
  return keyed(algorithm);
}

/** A 32-bit count of 10 µs overflows after 11.9 h; 12 h is documented. */
const OVERFLOW_US = 12 * 3_600 * SECOND_US;

export const buckets = {
  W15: ofRate(
    'The refill overflows after 12 h without a request: the level becomes minus the capacity, so an idle client is refused for longer than a window.',
    (_rule, limit) => ({
      limiter: bucket(limit, (tokens, us, { capacity, gained }) =>
        us >= OVERFLOW_US ? -capacity : tokens + gained(us),
      ),
    }),
    { algorithm: ['token-bucket'] },
  ),
  W19: ofRate(
    'A bucket that was emptied is never refilled: it still refuses a day later.',
    (_rule, limit) => ({
      limiter: bucket(limit, (tokens, us, { gained }) => (tokens < 1 ? tokens : tokens + gained(us))),
    }),
    { algorithm: ['token-bucket'] },
  ),
  W20: ofRate(
    'The bucket refills by whole tokens but stores the time of every request, including refused ones: a client that sends twice per token finds it empty forever.',
    (_rule, limit) => ({ limiter: bucket(limit, (tokens, us, { gained }) => tokens + Math.floor(gained(us))) }),
    { algorithm: ['token-bucket'] },
  ),
};
