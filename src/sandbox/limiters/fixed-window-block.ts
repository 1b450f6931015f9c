import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { plus, type Quota } from './windows.ts';

/** `blockedUntil` exists from the first refusal on. The window ends with the block. */
type State = { startsAt: Micros; used: number } | { blockedUntil: Micros };

/**
 * A window from the first request with a penalty: the first refusal blocks the key for `blockUs`, and at least until the end of
 * its window. Refusals during a block do not extend it. After the block the key is reset (limits.md, row FW-F+block).
 * @param settings `blockUs`: default the window
 */
export function fixedWindowWithBlock(settings: Quota & { readonly blockUs?: Micros }): Limiter {
  const { max, windowUs, blockUs = windowUs } = settings;
  const endOf = (state: State) => ('blockedUntil' in state ? state.blockedUntil : plus(state.startsAt, windowUs));
  const current = (state: State | undefined, now: Micros): State =>
    state && now < endOf(state) ? state : { startsAt: now, used: 0 };
  /** Until when a request in this state is refused; undefined if it is admitted. */
  const refusedUntil = (state: State, now: Micros): Micros | undefined => {
    if ('blockedUntil' in state) return state.blockedUntil;
    return state.used < max ? undefined : (Math.max(endOf(state), now + blockUs) as Micros);
  };
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const found = current(state, now);
      const retryAtUs = refusedUntil(found, now);
      if (retryAtUs !== undefined || 'blockedUntil' in found) return { admitted: false, retryAtUs: retryAtUs ?? now };
      return { admitted: true, remaining: max - found.used - 1, resetAtUs: endOf(found) };
    },
    take(state, { now }) {
      const found = current(state, now);
      if (!('blockedUntil' in found)) found.used++;
      return found;
    },
    refuse(state, { now }) {
      const found = current(state, now);
      const blockedUntil = refusedUntil(found, now);
      return blockedUntil === undefined ? found : { blockedUntil };
    },
    expiresAt: endOf,
  };
  return keyed(algorithm);
}
