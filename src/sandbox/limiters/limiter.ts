import type { Micros } from '../../base/index.ts';

/** What a limiter says of one request at one instant. */
export type Decision =
  | {
      readonly admitted: true;
      /** Units left once this one is taken. */
      readonly remaining: number;
      /** When quota comes back next: the window's end, or the first release. Absent when nothing is taken. */
      readonly resetAtUs?: Micros;
    }
  | {
      readonly admitted: false;
      /** The first instant at which the same request would be admitted if nobody else came; always after `now`. */
      readonly retryAtUs: Micros;
    };

/**
 * One limit over any number of keys. Looking and taking are two calls, so that several limits can decide on one request
 * together: nothing is taken from any of them unless all admit (`Gate`). Within one synchronous call of the core nothing
 * can come between the two.
 */
export interface Limiter {
  /** What `take` would meet. Changes nothing. */
  peek(key: string, now: Micros): Decision;
  /**
   * Takes one unit; only after an admitting `peek` of the same key at the same instant.
   * @param heldUntil when the unit comes back by itself, for limits that are held rather than spent; others ignore it
   */
  take(key: string, now: Micros, heldUntil: Micros): void;
}

/** Looks, and takes the unit when there is one. */
export function decide(limiter: Limiter, key: string, now: Micros, heldUntil: Micros): Decision {
  const decision = limiter.peek(key, now);
  if (decision.admitted) limiter.take(key, now, heldUntil);
  return decision;
}
