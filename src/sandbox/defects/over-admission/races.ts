import { type Micros, seededRandom } from '../../../base/index.ts';
import { burstOf, quotaOf } from '../../gate/index.ts';
import type { Ask, Limiter } from '../../limiters/index.ts';
import { type Algorithm, keyed } from '../../limiters/keyed.ts';
import { altered } from '../altered.ts';
import { ofRate, ofSlots } from '../of-limit.ts';

/*
 * Races need concurrent requests, but the core decides one request after the other. They are simulated by a delay in service
 * time: requests that are closer together than the delay do not see each other.
 */

/** Taken units become visible to reads only after the delay. */
function readsLag(honest: Limiter, lagUs: Micros): Limiter {
  const unseen: Ask[] = [];
  const write = (now: Micros) => {
    let seen = 0;
    for (const ask of unseen) {
      if (ask.now + lagUs > now) break;
      honest.take(ask);
      seen++;
    }
    unseen.splice(0, seen);
  };
  return altered(honest, {
    peek(ask) {
      write(ask.now);
      return honest.peek(ask);
    },
    take: (ask) => void unseen.push(ask),
    save(now) {
      write(now);
      return honest.save(now);
    },
  });
}

/** Maximum of remembered keys. A key that is forgotten loses no update once. */
const MOST_KEYS = 10_000;

/** Lost updates: of several requests within the delay, only one is counted. */
function updatesAreLost(honest: Limiter, lagUs: Micros): Limiter {
  const writtenAt = new Map<string, Micros>();
  return altered(honest, {
    take(ask) {
      const last = writtenAt.get(ask.key);
      if (last !== undefined && ask.now < last + lagUs) return;
      if (writtenAt.size >= MOST_KEYS) writtenAt.clear();
      writtenAt.set(ask.key, ask.now);
      honest.take(ask);
    },
  });
}

/** `at` is the time stamp of the last request and `seenAt` its arrival; `older` is 1 if the stamp was taken before the lock. */
type Bucket = { at: number; tokens: number; seenAt: number; older: 0 | 1 };

/** Every other overlapping request has a time stamp from before its wait for the lock, which sets the bucket back. */
function staleStamps(limit: Parameters<typeof quotaOf>[0], lagUs: Micros): Limiter {
  const { max, windowUs } = quotaOf(limit);
  const capacity = burstOf(limit);
  const current = (state: Bucket | undefined, now: Micros): Bucket => {
    if (!state) return { at: now, tokens: capacity, seenAt: now, older: 0 };
    const overlaps = now < state.seenAt + lagUs;
    const older = overlaps && state.older === 0 ? 1 : 0;
    const at = older === 1 ? now - lagUs : now;
    const gained = (Math.max(0, at - state.at) * max) / windowUs;
    return { at, tokens: Math.min(capacity, state.tokens + gained), seenAt: now, older };
  };
  const algorithm: Algorithm<Bucket> = {
    peek(state, { now }) {
      const { tokens } = current(state, now);
      if (tokens >= 1) return { admitted: true, remaining: Math.floor(tokens - 1) };
      return { admitted: false, retryAtUs: (now + Math.ceil(((1 - tokens) * windowUs) / max)) as Micros };
    },
    take(state, { now }) {
      const bucket = current(state, now);
      return { ...bucket, tokens: bucket.tokens - 1 };
    },
    refuse: (state, { now }) => current(state, now),
    expiresAt: ({ at, tokens }) => (at + lagUs + Math.ceil(((capacity - tokens) * windowUs) / max)) as Micros,
  };
  return keyed(algorithm);
}

export const races = {
  O1: ofRate(
    'The counter is read first and incremented later: parallel requests all read the same value, so more than the limit are admitted. For sequential requests the limit holds.',
    ({ limiter }, _limit, { lagUs }) => ({ limiter: readsLag(limiter, lagUs) }),
  ),
  O2: ofRate(
    'The counter is read and written in two steps, so increments are lost: of parallel requests only one counts, and a flood exceeds the limit many times over.',
    ({ limiter }, _limit, { lagUs }) => ({ limiter: updatesAreLost(limiter, lagUs) }),
  ),
  O3: ofRate(
    'The arrival time is read and written without a lock, so updates are lost: a parallel burst of any size is admitted. For sequential requests the limit holds.',
    ({ limiter }, _limit, { lagUs }) => ({ limiter: updatesAreLost(limiter, lagUs) }),
    { algorithm: ['gcra'] },
  ),
  O4: ofRate(
    'Time stamps are taken before the wait for the lock: in a heavy parallel burst older and newer ones alternate, and each pair refills the bucket again, so more than its capacity is admitted within an instant.',
    (_rule, limit, { lagUs }) => ({ limiter: staleStamps(limit, lagUs) }),
    { algorithm: ['token-bucket'] },
  ),
  C5: ofSlots(
    'The used slots are counted first and a slot is taken later: more parallel messages find a slot than there are. For sequential messages the limit holds.',
    ({ limiter }, _limit, { lagUs }) => ({ limiter: readsLag(limiter, lagUs) }),
  ),
};

const WORKERS = 2;

/** Each worker has its own counter. A random worker serves each request. */
function perWorker(honest: Limiter, seed: number, name: string): Limiter {
  const random = seededRandom(seed, 'defect', 'O5', name);
  // A peek and the take or refuse after it belong to the same request; no other request comes in between.
  let served = '';
  const there = (ask: Ask): Ask => ({ ...ask, key: served });
  const { refuse } = honest;
  return altered(honest, {
    peek(ask) {
      if (ask.isLook) return honest.peek({ ...ask, key: `${ask.key} worker 0` });
      served = `${ask.key} worker ${random.integer(WORKERS)}`;
      return honest.peek(there(ask));
    },
    take: (ask) => honest.take(there(ask)),
    ...(refuse && { refuse: (ask: Ask) => refuse(there(ask)) }),
  });
}

/** One of the workers admits everything and counts nothing. */
function withIdleWorker(honest: Limiter, max: number, seed: number, name: string): Limiter {
  const random = seededRandom(seed, 'defect', 'O6', name);
  let enforced = true;
  return altered(honest, {
    peek(ask) {
      if (ask.isLook) return honest.peek(ask);
      enforced = random.integer(WORKERS) > 0;
      return enforced ? honest.peek(ask) : { admitted: true, remaining: max - 1 };
    },
    take(ask) {
      if (enforced) honest.take(ask);
    },
  });
}

export const workers = {
  O5: ofRate(
    'Each of two workers has its own counter, and a random one serves each request: up to twice the limit is admitted, and refusals are mixed with admissions.',
    ({ limiter, name }, _limit, { config }) => ({ limiter: perWorker(limiter, config.seed, name) }),
  ),
  O6: ofRate(
    'One of two workers does not enforce the limit: once it is exhausted, admissions and refusals alternate at random.',
    ({ limiter, name }, { max }, { config }) => ({ limiter: withIdleWorker(limiter, max, config.seed, name) }),
  ),
};
