import type { Micros } from '../../../base/index.ts';
import { quotaOf } from '../../gate/index.ts';
import { gcra, type Limiter, slidingLogOfAttempts, tokenBucket } from '../../limiters/index.ts';
import { type Algorithm, keyed } from '../../limiters/keyed.ts';
import { type AlignedQuota, counted, plus, startOfWindow } from '../../limiters/windows.ts';
import { altered, redecided } from '../altered.ts';
import { everlasting } from '../everlasting.ts';
import { SECOND_US } from '../instants.ts';
import { ofDay, ofRate } from '../of-limit.ts';
import { resized } from '../over-admission/counting.ts';

type Window = { startsAt: Micros; used: number };

/** Fixed windows in which an exhausted counter outlives its window. @param until when it stops refusing */
function lingering(
  quota: AlignedQuota,
  until: (endsAt: Micros) => Micros,
  advice: (now: Micros, endsAt: Micros) => Micros,
): Limiter {
  const { max, windowUs } = quota;
  const current = (state: Window | undefined, now: Micros): Window => {
    const startsAt = startOfWindow(now, quota);
    if (!state || state.startsAt === startsAt) return state ?? { startsAt, used: 0 };
    const lingers = state.used >= max && now < until(plus(state.startsAt, windowUs));
    return lingers ? state : { startsAt, used: 0 };
  };
  const algorithm: Algorithm<Window> = {
    peek(state, { now }) {
      const { startsAt, used } = current(state, now);
      const endsAt = plus(startsAt, windowUs);
      return counted(max - used, endsAt, advice(now, endsAt));
    },
    take(state, { now }) {
      const window = current(state, now);
      return { ...window, used: window.used + 1 };
    },
    expiresAt: ({ startsAt }) => until(plus(startsAt, windowUs)),
  };
  return keyed(algorithm);
}

/** The end of the window that contains `now`, whichever window the counter belongs to. */
const nextWindow = (quota: AlignedQuota) => (now: Micros) => plus(startOfWindow(now, quota), quota.windowUs);

/** A window with a penalty that every refusal restarts. */
type Blocked = { startsAt: Micros; used: number; blockedUntil: Micros };
function blockFromLast({ max, windowUs }: AlignedQuota, blockUs: Micros): Limiter {
  const current = (state: Blocked | undefined, now: Micros): Blocked => {
    const goesOn = state && (now < state.blockedUntil || (state.blockedUntil === 0 && now < state.startsAt + windowUs));
    return goesOn ? state : { startsAt: now, used: 0, blockedUntil: 0 as Micros };
  };
  const algorithm: Algorithm<Blocked> = {
    peek(state, { now }) {
      const { startsAt, used } = current(state, now);
      return counted(max - used, plus(startsAt, windowUs), plus(now, blockUs));
    },
    take(state, { now }) {
      const found = current(state, now);
      return { ...found, used: found.used + 1 };
    },
    refuse: (state, { now }) => ({ ...current(state, now), blockedUntil: plus(now, blockUs) }),
    expiresAt: ({ startsAt, blockedUntil }) => Math.max(plus(startsAt, windowUs), blockedUntil) as Micros,
  };
  return keyed(algorithm);
}

/** How long an expired counter that is exhausted is still used. */
const UNCLEANED_US = 10 * SECOND_US;

export const counters = {
  W1: ofRate(
    'The counter is compared after the increment as if the request were not included: one request less than the limit is admitted, and none at a limit of 1.',
    ({ limiter }, limit) => ({ limiter: resized(limit, -1, limiter) }),
  ),
  W2: ofRate(
    'The sliding counter rounds so that a limit of 1 never admits: every request is refused.',
    ({ limiter }, { max, window }) =>
      max > 1
        ? {}
        : { limiter: redecided(limiter, (_, { now }) => ({ admitted: false, retryAtUs: plus(now, window * 1_000) })) },
    {
      algorithm: ['sliding-counter'],
      lacks: ({ rate }) => (rate.some(({ max }) => max === 1) ? undefined : 'needs a rate limit whose max is 1'),
    },
  ),
  W3: ofRate(
    'The burst is a tenth of the limit, rounded down, and 1 below a limit of 10: far fewer requests of a burst are admitted than the bucket should hold.',
    (_rule, limit) => ({
      limiter: tokenBucket({ ...quotaOf(limit), burst: Math.max(1, Math.floor(limit.max / 10)) }),
    }),
    { algorithm: ['token-bucket'] },
  ),
  W4: ofRate(
    'The limit per window is enforced as a minimum interval between requests, without a burst: the second of two simultaneous requests is refused.',
    (_rule, limit) => ({ limiter: gcra({ ...quotaOf(limit), burst: 1 }) }),
  ),
  W5: ofRate(
    'Two guards increment the same counter: half of the limit is admitted, and the remaining quota decreases by 2.',
    ({ limiter }) => ({
      limiter: altered(
        redecided(limiter, (decision) =>
          decision.admitted ? { ...decision, remaining: Math.max(0, decision.remaining - 1) } : decision,
        ),
        {
          take(ask) {
            limiter.take(ask);
            limiter.take(ask);
          },
        },
      ),
    }),
  ),
  W6: ofRate(
    'Refused requests count as well: a client that keeps asking faster than the limit is never admitted again.',
    (_rule, limit) => ({ limiter: slidingLogOfAttempts(quotaOf(limit)) }),
    { algorithm: ['sliding-log'] },
  ),
  W7: ofRate(
    'The penalty starts at the last refusal rather than at the first: each request during the block extends it.',
    (_rule, limit) => ({
      limiter: blockFromLast(quotaOf(limit), ('block' in limit ? limit.block * 1_000 : 0) as Micros),
    }),
    { algorithm: ['fixed-window-block'] },
  ),
  W9: ofRate(
    'The counter never expires: after as many requests as the limit in total, all are refused forever, without a time to retry.',
    (_rule, { max }) => ({ advises: false, limiter: everlasting(max, () => undefined) }),
  ),
  W10: ofRate(
    'A new window does not clear the counter: the reset in the headers advances, but the remaining quota is not restored.',
    (_rule, limit) => ({ limiter: everlasting(limit.max, ({ now }) => nextWindow(quotaOf(limit))(now)) }),
  ),
  W11: ofRate(
    'An exhausted counter outlives its window by another window: a client that obeys Retry-After is refused again, for a whole window.',
    (_rule, limit) => {
      const quota = quotaOf(limit);
      return { limiter: lingering(quota, (endsAt) => plus(endsAt, quota.windowUs), nextWindow(quota)) };
    },
    { algorithm: ['fixed-window'] },
  ),
  W13: ofDay(
    'A message that is refused for lack of a slot counts towards the daily quota: the quota is used up before as many messages were accepted. Shows if the daily quota is checked before the slots.',
    () => ({ countsRefusedLater: true }),
  ),
  W16: ofRate(
    'An exhausted counter that has expired is used for another 10 s: requests after the reset are refused, with a negative Retry-After.',
    (_rule, limit) => ({
      limiter: lingering(
        quotaOf(limit),
        (endsAt) => plus(endsAt, UNCLEANED_US),
        (_, endsAt) => endsAt,
      ),
    }),
    { algorithm: ['fixed-window'] },
  ),
  W22: ofDay(
    'Messages that are answered 422 or 404 consume the daily quota: after k of them, k fewer are accepted.',
    () => ({ countsInvalid: true }),
  ),
};
