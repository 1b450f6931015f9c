import { type Micros, microsFromSeconds, seededRandom } from '../../../base/index.ts';
import type { RateLimit } from '../../config/limits.ts';
import { quotaOf, rateLimiter, slotsOf } from '../../gate/index.ts';
import type { Ask, Limiter } from '../../limiters/index.ts';
import { keyed } from '../../limiters/keyed.ts';
import { holders } from '../../limiters/semaphore.ts';
import { counted } from '../../limiters/windows.ts';
import { altered, redecided } from '../altered.ts';
import { NEVER } from '../instants.ts';
import { ofDay, ofRate, ofSlots } from '../of-limit.ts';

/** Default lifetime of an entry in Django's cache. */
const CACHE_TTL_US = microsFromSeconds(300);

type Cached = { endsAt: Micros; used: number };

/**
 * Keeps the counter in a cache that forgets it long before the day ends, and at the latest when the day ends, because the next day
 * has its own counter. A refusal still names the correct end of the day.
 */
function inShortCache(max: number, honest: Limiter): Limiter {
  const dayEndsAt = (ask: Ask): Micros => {
    const day = honest.peek(ask);
    return (day.admitted ? day.resetAtUs : day.retryAtUs) ?? NEVER;
  };
  const current = (cached: Cached | undefined, ask: Ask): Cached =>
    cached && ask.now < cached.endsAt
      ? cached
      : { endsAt: Math.min(ask.now + CACHE_TTL_US, dayEndsAt(ask)) as Micros, used: 0 };
  return keyed<Cached>({
    peek(cached, ask) {
      const { endsAt, used } = current(cached, ask);
      return counted(max - used, endsAt, dayEndsAt(ask));
    },
    take(cached, ask) {
      const found = current(cached, ask);
      found.used++;
      return found;
    },
    expiresAt: ({ endsAt }) => endsAt,
  });
}

const EVERY_US = microsFromSeconds(120);
const LASTING_US = microsFromSeconds(10);

/** The limiter's store fails for ten seconds in every two minutes. Meanwhile everything is admitted and nothing counted. */
function failsOpen(honest: Limiter, max: number, seed: number): Limiter {
  const offset = seededRandom(seed, 'defect', 'O21').integer(EVERY_US - LASTING_US);
  const isOut = (now: Micros) => {
    const into = now % EVERY_US;
    return into >= offset && into < offset + LASTING_US;
  };
  return altered(honest, {
    peek: (ask) => (isOut(ask.now) ? { admitted: true, remaining: max - 1 } : honest.peek(ask)),
    take(ask) {
      if (!isOut(ask.now)) honest.take(ask);
    },
  });
}

/** The limiter with `by` more units. For a bucket only the burst changes, not the steady rate. */
export function resized(limit: RateLimit, by: number, honest: Limiter): Limiter {
  if ('burst' in limit) return rateLimiter({ ...limit, burst: limit.burst + by });
  if (limit.max + by >= 1) return rateLimiter({ ...limit, max: limit.max + by });
  const { windowUs } = quotaOf(limit);
  return redecided(honest, (_, { now }) => ({ admitted: false, retryAtUs: (now + windowUs) as Micros }));
}

export const counting = {
  O13: ofRate(
    'The lifetime of the counter is rounded down to 0, so nothing is counted: no request is ever refused.',
    ({ limiter }) => ({ limiter: altered(limiter, { take: () => undefined }) }),
  ),
  O14: ofDay(
    'The daily counter is kept for only 5 minutes, the default of its cache: messages that are spread over more time never reach the quota.',
    ({ limiter }, { max }) => ({ limiter: inShortCache(max, limiter) }),
  ),
  O19: ofSlots(
    'A refused message releases a slot that it never had: when all slots are taken, refusals and admissions alternate, and more turns are open than there are slots.',
    (_rule, limit) => ({
      limiter: keyed({ ...holders(slotsOf(limit)), refuse: (ends) => ends?.slice(1) ?? [] }),
    }),
    { slot: 'accepted-to-finished' },
  ),
  O21: ofRate(
    'The limit fails open when its store fails, for 10 s in every 2 min of service time: during that time nothing is refused, however much is sent.',
    ({ limiter }, { max }, { config }) => ({ limiter: failsOpen(limiter, max, config.seed) }),
  ),
  O22: ofRate(
    'All failed requests are refunded, even if the client is at fault: a flood of 422 is never limited and uses up nothing.',
    () => ({ countsInvalid: false }),
  ),
  O24: ofRate(
    'The counter is compared before it is incremented, off by one: one request more than the limit is admitted.',
    ({ limiter }, limit) => ({ limiter: resized(limit, 1, limiter) }),
  ),
};
