import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { plus, type Quota, roundedUp, spacingOf, wholePart } from './windows.ts';

/** `level` at the instant `at`, in parts of a token: a token has `tick` parts, and `perMicro` parts are added per microsecond. */
type State = { at: Micros; level: number };

/**
 * A bucket of `burst` tokens that fills continuously at max per W; a request takes one (limits.md, row TB). Admits at most
 * burst + ⌊L·max/W⌋ in an interval of length L. A new key has a full bucket.
 * @param settings `burst`: default max; burst·windowUs < 2^53
 */
export function tokenBucket(settings: Quota & { readonly burst?: number }): Limiter {
  const { tick, perMicro } = spacingOf(settings);
  const capacity = (settings.burst ?? settings.max) * tick;
  const levelAt = (state: State | undefined, now: Micros) => {
    if (!state) return capacity;
    // Compares times, because the refill of a long time may exceed the exact integers.
    const missing = capacity - state.level;
    const elapsed = now - state.at;
    return elapsed >= roundedUp(missing, perMicro) ? capacity : state.level + elapsed * perMicro;
  };
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const level = levelAt(state, now);
      if (level < tick) return { admitted: false, retryAtUs: plus(now, roundedUp(tick - level, perMicro)) };
      const left = level - tick;
      const untilNext = tick - (left % tick);
      return {
        admitted: true,
        remaining: wholePart(left, tick),
        resetAtUs: plus(now, roundedUp(untilNext, perMicro)),
      };
    },
    take: (state, { now }) => ({ at: now, level: levelAt(state, now) - tick }),
    expiresAt: ({ at, level }) => plus(at, roundedUp(capacity - level, perMicro)),
  };
  return keyed(algorithm);
}
