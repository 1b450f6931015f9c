import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { type AlignedQuota, counted, modulo, plus, roundedUp, startOfWindow, wholePart } from './windows.ts';

/** Tokens left in tick number `tick`. */
type State = { tick: number; tokens: number };

/** Numbered instants at which `amount` tokens are added. */
interface Refills {
  readonly amount: number;
  /** The number of the last refill at or before `now`. */
  readonly numberAt: (now: Micros) => number;
  readonly instantOf: (tick: number) => Micros;
}

type Settings = AlignedQuota & { readonly burst?: number };

/** One token every W/N, at ticks aligned to the clock: a token bucket whose time is rounded down to ticks (limits.md, row TB-I). */
export function tokenBucketPerTick(settings: Settings): Limiter {
  const { max, windowUs, phaseUs = 0 as Micros } = settings;
  return bucket(settings.burst ?? max, {
    amount: 1,
    numberAt: (now) => {
      const startsAt = startOfWindow(now, settings);
      return ((startsAt - phaseUs) / windowUs) * max + wholePart((now - startsAt) * max, windowUs);
    },
    instantOf: (tick) => {
      const into = modulo(tick, max);
      return plus(phaseUs, ((tick - into) / max) * windowUs + roundedUp(into * windowUs, max));
    },
  });
}

/** `max` tokens at the start of each window of the clock. With `burst` = max it equals the fixed window (limits.md, row TB-I). */
export function tokenBucketPerWindow(settings: Settings): Limiter {
  const { max, windowUs, phaseUs = 0 as Micros } = settings;
  return bucket(settings.burst ?? max, {
    amount: max,
    numberAt: (now) => (startOfWindow(now, settings) - phaseUs) / windowUs,
    instantOf: (tick) => plus(phaseUs, tick * windowUs),
  });
}

/** A bucket of `capacity` tokens, full for a new key. */
function bucket(capacity: number, { amount, numberAt, instantOf }: Refills): Limiter {
  const tokensAt = (state: State | undefined, tick: number) =>
    state ? Math.min(capacity, state.tokens + (tick - state.tick) * amount) : capacity;
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const tick = numberAt(now);
      return counted(tokensAt(state, tick), instantOf(tick + 1));
    },
    take(state, { now }) {
      const tick = numberAt(now);
      return { tick, tokens: tokensAt(state, tick) - 1 };
    },
    expiresAt: ({ tick, tokens }) => instantOf(tick + roundedUp(capacity - tokens, amount)),
  };
  return keyed(algorithm);
}
