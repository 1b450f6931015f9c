import type { LimitName } from '../api/index.ts';
import { type Micros, microsFromMillis } from '../base/index.ts';
import type { SandboxConfig } from './config.ts';
import { type Decision, dayCounter, fixedWindow, type Limiter, semaphore } from './limiters/index.ts';

/** What one limit said of one request. */
export interface Standing {
  readonly limit: LimitName;
  readonly decision: Decision;
}

type Admission =
  | { readonly admitted: true; readonly standings: readonly Standing[] }
  | { readonly admitted: false; readonly refusedBy: LimitName; readonly retryAtUs: Micros };

/** Decides for several limits at once: either all of them take a unit, or none does. */
export interface Gate {
  /**
   * @param limits in the order of the checks: the first that refuses is named
   * @param heldUntil when a held unit comes back, for limits that are held
   */
  admit(limits: readonly LimitName[], key: string, now: Micros, heldUntil: Micros): Admission;
  /** Each limit's state for a key, without taking anything. */
  standings(key: string, now: Micros): readonly Standing[];
}

function limitersOf(limits: SandboxConfig['limits']): Record<LimitName, Limiter> {
  return {
    rate: fixedWindow({ max: limits.rate.max, windowUs: microsFromMillis(limits.rate.window) }),
    concurrency: semaphore(limits.concurrency),
    daily: dayCounter(limits.daily),
  };
}

export function createGate(limits: SandboxConfig['limits']): Gate {
  const limiters = limitersOf(limits);
  const look = (names: readonly LimitName[], key: string, now: Micros) =>
    names.map((limit) => ({ limit, decision: limiters[limit].peek(key, now) }));
  return {
    admit(names, key, now, heldUntil) {
      const standings = look(names, key, now);
      for (const { limit, decision } of standings) {
        if (!decision.admitted) return { admitted: false, refusedBy: limit, retryAtUs: decision.retryAtUs };
      }
      for (const limit of names) limiters[limit].take(key, now, heldUntil);
      return { admitted: true, standings };
    },
    standings: (key, now) => look(['rate', 'daily', 'concurrency'], key, now),
  };
}
