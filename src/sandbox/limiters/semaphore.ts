import type { Micros } from '../../base/index.ts';
import type { Limiter } from './limiter.ts';

/**
 * At most `max` units held at once. Each is held over [taken, heldUntil): at the instant of its release it is free again,
 * whether anybody asks or not, because holders are compared with the clock rather than released by an event.
 */
export function semaphore(settings: { readonly max: number }): Limiter {
  const { max } = settings;
  /** Instants of release by key, ascending; past ones are dropped when the next unit is taken. */
  const releases = new Map<string, Micros[]>();

  return {
    peek(key, now) {
      const instants = releases.get(key) ?? [];
      const past = countUntil(instants, now);
      const held = instants.length - past;
      const next = instants[past];
      if (held < max) {
        return { admitted: true, remaining: max - held - 1, ...(next !== undefined && { resetAtUs: next }) };
      }
      return { admitted: false, retryAtUs: instants[instants.length - max] ?? now };
    },
    take(key, now, heldUntil) {
      const instants = releases.get(key) ?? [];
      instants.splice(0, countUntil(instants, now));
      instants.splice(countUntil(instants, heldUntil), 0, heldUntil);
      releases.set(key, instants);
    },
  };
}

/** How many of the ascending instants are at or before `at`. */
function countUntil(instants: readonly Micros[], at: Micros): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] ?? at) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
