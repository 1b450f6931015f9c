import type { Micros } from '../../base/index.ts';
import type { Limiter } from './limiter.ts';

/**
 * At most `max` units in each window [k·W, (k+1)·W) of the service's clock, counted from 1970: with W = 60 s, its minutes.
 * Refused requests count nothing. An interval that straddles a boundary may see 2·max admitted (limits.md, row FW-A).
 */
export function fixedWindow(settings: { readonly max: number; readonly windowUs: Micros }): Limiter {
  const { max, windowUs } = settings;
  // All keys share their windows' boundaries, so the counts of a past window go at once and memory holds one window's keys.
  let window = Number.NEGATIVE_INFINITY;
  const counts = new Map<string, number>();
  const windowOf = (now: Micros) => Math.floor(now / windowUs);
  const usedIn = (key: string, now: Micros) => (windowOf(now) === window ? (counts.get(key) ?? 0) : 0);

  return {
    peek(key, now) {
      const endsAt = ((windowOf(now) + 1) * windowUs) as Micros;
      const used = usedIn(key, now);
      return used < max
        ? { admitted: true, remaining: max - used - 1, resetAtUs: endsAt }
        : { admitted: false, retryAtUs: endsAt };
    },
    take(key, now) {
      const used = usedIn(key, now);
      if (windowOf(now) !== window) {
        counts.clear();
        window = windowOf(now);
      }
      counts.set(key, used + 1);
    },
  };
}
