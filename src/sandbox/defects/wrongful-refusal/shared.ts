import { type Micros, seededRandom } from '../../../base/index.ts';
import { quotaOf } from '../../gate/index.ts';
import type { Ask, Limiter } from '../../limiters/index.ts';
import { type Algorithm, keyed } from '../../limiters/keyed.ts';
import { type AlignedQuota, counted, plus, startOfWindow } from '../../limiters/windows.ts';
import { altered } from '../altered.ts';
import type { Defect } from '../defect.ts';
import { SECOND_US } from '../instants.ts';
import { lacksTwoRates, ofRate } from '../of-limit.ts';
import { readsAndMessages } from '../stacks.ts';

/** A key that one limit refused is refused by all limits that share the cache, whatever they have left. */
function behindCache(honest: Limiter, cache: Map<string, Micros>): Limiter {
  const { refuse } = honest;
  return altered(honest, {
    peek(ask) {
      const until = cache.get(ask.key) ?? ask.now;
      return until > ask.now ? { admitted: false, retryAtUs: until } : honest.peek(ask);
    },
    refuse(ask: Ask) {
      const decision = honest.peek(ask);
      if (decision.admitted) return;
      cache.set(ask.key, decision.retryAtUs);
      refuse?.(ask);
    },
  });
}

/** How far the second node's clock is ahead. */
const SKEW_US = 7 * SECOND_US;

/** One counter for two nodes with different clocks. A node clears a counter that belongs to another window than its own. */
function byNodeClocks(quota: AlignedQuota, seed: number, name: string): Limiter {
  const { max, windowUs } = quota;
  const random = seededRandom(seed, 'defect', 'W21', name);
  let ahead = 0;
  type State = { startsAt: number; used: number };
  const current = (state: State | undefined, now: Micros): State => {
    const startsAt = startOfWindow(plus(now, ahead), quota);
    return state?.startsAt === startsAt ? state : { startsAt, used: 0 };
  };
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const { startsAt, used } = current(state, now);
      return counted(max - used, (startsAt + windowUs - ahead) as Micros);
    },
    take(state, { now }) {
      const found = current(state, now);
      return { ...found, used: found.used + 1 };
    },
    expiresAt: ({ startsAt }) => (startsAt + windowUs) as Micros,
  };
  const limiter = keyed(algorithm);
  return altered(limiter, {
    peek(ask) {
      if (!ask.isLook) ahead = random.integer(2) * SKEW_US;
      return limiter.peek(ask);
    },
  });
}

const W18: Defect = {
  limit: 'rate',
  says: 'Refusals are cached by key and not by limit: once one rate limit refuses, a higher one refuses the same client as well, although it has units left.',
  requires: { rates: readsAndMessages, lacks: lacksTwoRates },
  breaks: () => {
    const cache = new Map<string, Micros>();
    return {
      rules: (honest) =>
        honest.map((rule) => (rule.limit === 'rate' ? { ...rule, limiter: behindCache(rule.limiter, cache) } : rule)),
    };
  },
};

export const shared = {
  W18,
  W21: ofRate(
    'Two nodes share the counter, but each computes the window from its own clock, 7 s apart, and a random one serves each request: the time to the reset jumps by 7 s, and in the last 7 s of a window each clears what the other has counted.',
    ({ name }, limit, { config }) => ({ limiter: byNodeClocks(quotaOf(limit), config.seed, name) }),
    { algorithm: ['fixed-window'] },
  ),
};
