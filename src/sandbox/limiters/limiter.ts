import type { Micros } from '../../base/index.ts';

/** A question to a limiter: is one more unit of this key available now? */
export interface Ask {
  /** By what units are counted: an application, a user, a conversation. Keys are independent of each other. */
  readonly key: string;
  /** Service time. Must not decrease between asks of the same key. */
  readonly now: Micros;
  /** When the unit is taken, for limits that reserve units in advance; others ignore it. Default `now`. */
  readonly heldFrom?: Micros;
  /** When the unit is released, for limits with held units; others ignore it. Default `now`. */
  readonly heldUntil?: Micros;
  /** IANA time zone of the caller, for limits whose day starts at the caller's midnight. Default UTC. */
  readonly timezone?: string;
  /** Only for display: no request is served and no random number drawn. Default false. */
  readonly isLook?: boolean;
}

/** The decision of a limiter on one request at one instant. */
export type Decision =
  | {
      readonly admitted: true;
      /** Units left after this one is taken, ≥ 0. */
      readonly remaining: number;
      /** The first instant at which more than `remaining` units are left, without further requests. Absent if nothing will come back. */
      readonly resetAtUs?: Micros;
      /** How long the request waits before it is served, > 0. Absent: served at once. */
      readonly delayUs?: Micros;
    }
  | {
      readonly admitted: false;
      /**
       * The first instant after `now` at which the same request would be admitted, without further requests. If refusals count,
       * this includes the present one.
       */
      readonly retryAtUs: Micros;
    };

/** State of one key: plain data that JSON represents without loss. */
export type SavedState = number | string | readonly SavedState[] | { readonly [member: string]: SavedState };
/** State of a limiter, by key. An absent key is new or expired. */
export type SavedStates = Readonly<Record<string, SavedState>>;

/**
 * One limit over any number of keys. `peek` and `take` are separate, so that several limits can decide on one request before any
 * unit is taken (`Gate`). Both happen within one synchronous call of the core, so no other request can come between them.
 */
export interface Limiter {
  /** The decision for a request. Changes nothing. */
  peek(ask: Ask): Decision;
  /** Takes one unit. Only after a `peek` of the same ask that admits. */
  take(ask: Ask): void;
  /** Counts a refusal. Only after a `peek` of the same ask that refuses. Absent if refusals change nothing. */
  refuse?(ask: Ask): void;
  /**
   * The first instant from `heldFrom` on at which a unit is free and stays free for `heldUntil − heldFrom`. Absent if an admitted
   * request never waits for its unit.
   */
  freeFrom?(ask: Ask): Micros;
  /** A copy of all state that is still relevant at `now`. */
  save(now: Micros): SavedStates;
  /** Replaces the state by one that a limiter of the same kind and settings has saved. */
  load(saved: SavedStates): void;
  /** The state of one key; undefined if it has none. Not a copy: the next call may change it. */
  stateOf(key: string): SavedState | undefined;
  /** Number of stored keys: at most those still relevant, times a small constant. */
  readonly size: number;
}
