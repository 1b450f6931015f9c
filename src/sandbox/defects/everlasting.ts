import type { Micros } from '../../base/index.ts';
import type { Ask, Limiter } from '../limiters/index.ts';
import { type Algorithm, keyed } from '../limiters/keyed.ts';
import { NEVER } from './instants.ts';

/** Admits `max` units in total, forever. @param resetAt the reset that answers claim; undefined: none */
export function everlasting(max: number, resetAt: (ask: Ask) => Micros | undefined): Limiter {
  const algorithm: Algorithm<{ used: number }> = {
    peek(state, ask) {
      const used = state?.used ?? 0;
      const resetAtUs = resetAt(ask);
      if (used >= max) return { admitted: false, retryAtUs: resetAtUs ?? NEVER };
      return { admitted: true, remaining: max - used - 1, ...(resetAtUs !== undefined && { resetAtUs }) };
    },
    take: (state) => ({ used: (state?.used ?? 0) + 1 }),
    expiresAt: () => NEVER,
  };
  return keyed(algorithm);
}
