import type { Micros } from '../../base/index.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Limiter } from './limiter.ts';
import { counted, plus, type Quota } from './windows.ts';

type State = { startsAt: Micros; used: number };

/**
 * At most `max` units in a window of length W that starts with a key's first request, like a counter with an expiry. The first
 * request after it starts the next window. Up to 2·max − 1 units in an interval shorter than W (limits.md, row FW-F).
 */
export function fixedWindowFromFirst({ max, windowUs }: Quota): Limiter {
  const current = (state: State | undefined, now: Micros) =>
    state && now < plus(state.startsAt, windowUs) ? state : { startsAt: now, used: 0 };
  const algorithm: Algorithm<State> = {
    peek(state, { now }) {
      const { startsAt, used } = current(state, now);
      return counted(max - used, plus(startsAt, windowUs));
    },
    take(state, { now }) {
      const window = current(state, now);
      window.used++;
      return window;
    },
    expiresAt: ({ startsAt }) => plus(startsAt, windowUs),
  };
  return keyed(algorithm);
}
