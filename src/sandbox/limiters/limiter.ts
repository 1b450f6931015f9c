import type { Micros } from '../../base/index.ts';

/** What a limiter is asked: may one more unit be had under this key now? */
export interface Ask {
  /** Whose units they are: an application, a user, a conversation. Keys know nothing of each other. */
  readonly key: string;
  /** Service time. Whoever asks of one key does so in the order of time. */
  readonly now: Micros;
  /** When the unit is taken, for limits whose units may be taken ahead; others take it at once. Default `now`. */
  readonly heldFrom?: Micros;
  /** When the unit comes back by itself, for limits that are held rather than spent; others ignore it. Default `now`. */
  readonly heldUntil?: Micros;
  /** IANA time zone of the caller, for limits whose day turns at the caller's midnight. Default UTC. */
  readonly timezone?: string;
  /** Somebody only looks: no request is served, and what is left to chance is not drawn. Default false. */
  readonly isLook?: boolean;
}

/** What a limiter says of one request at one instant. */
export type Decision =
  | {
      readonly admitted: true;
      /** Units left once this one is taken, ≥ 0. */
      readonly remaining: number;
      /** The first instant at which more units are left than that, if nobody else comes. Absent when nothing else is held. */
      readonly resetAtUs?: Micros;
      /** How long the request has to wait before it is served, > 0. Absent: served at once. */
      readonly delayUs?: Micros;
    }
  | {
      readonly admitted: false;
      /**
       * The first instant at which the same request would be admitted if nobody else came, this refusal included where
       * refusals count; always after `now`.
       */
      readonly retryAtUs: Micros;
    };

/** Plain data that JSON holds without loss: what a limiter remembers of one key. */
export type SavedState = number | string | readonly SavedState[] | { readonly [member: string]: SavedState };
/** What a limiter remembers, by key. A key that is absent has never been seen, or nothing of it matters any more. */
export type SavedStates = Readonly<Record<string, SavedState>>;

/**
 * One limit over any number of keys. Looking and taking are two calls, so that several limits can decide on one request
 * together: nothing is taken from any of them unless all admit (`Gate`). Within one synchronous call of the core nothing
 * can come between the two.
 */
export interface Limiter {
  /** What `take` would meet. Changes nothing. */
  peek(ask: Ask): Decision;
  /** Takes one unit; only after an admitting `peek` of the same ask. */
  take(ask: Ask): void;
  /** Counts a refusal; only after a refusing `peek` of the same ask. Absent where refusals change nothing. */
  refuse?(ask: Ask): void;
  /**
   * The first instant from `heldFrom` on at which a unit is free, and stays free for as long as from `heldFrom` to `heldUntil`.
   * Absent where an admitted request need not wait for its unit.
   */
  freeFrom?(ask: Ask): Micros;
  /** Everything that still matters at `now`, as a copy. */
  save(now: Micros): SavedStates;
  /** Goes on from what a limiter of the same kind and settings saved; what it knew before is gone. */
  load(saved: SavedStates): void;
  /** The present state of one key, to be written down before the next call; `undefined`: nothing to remember. */
  stateOf(key: string): SavedState | undefined;
  /** How many keys are remembered: bounded by those that still matter, times a small constant. */
  readonly size: number;
}

/** Looks; takes the unit when there is one, and counts the refusal where refusals count. */
export function decide(limiter: Limiter, ask: Ask): Decision {
  const decision = limiter.peek(ask);
  if (decision.admitted) limiter.take(ask);
  else limiter.refuse?.(ask);
  return decision;
}
