import type { Micros } from '../../base/index.ts';

/** A stretch of time in which a user starts journeys, as offsets from the model's start. */
export interface ActiveTime {
  readonly fromUs: Micros;
  /** No journey starts at or after this; absence means no such bound (then the user's `iterations` are there). */
  readonly untilUs?: Micros;
}

/** A virtual user of a closed model: starts its next journey when its last one ended. */
export interface ClosedUser {
  /** In the order of time, apart from one another; at least one. */
  readonly active: readonly ActiveTime[];
  /** Journeys at the most; absence means no such bound. */
  readonly iterations?: number;
}

/** What changes evenly from one value to another; both are the same where nothing changes. */
export interface Change {
  readonly from: number;
  readonly to: number;
}

/** A stretch of a load model in which its load is one rate, or changes evenly. */
export interface LoadPart {
  /** Distinct within the model: `stair-3`; absent of a model that is one part. */
  readonly name?: string;
  readonly durationUs: Micros;
  /** Arrivals a minute of an open model, users of a closed one; absent where it does not say. */
  readonly level?: Change;
}

/** What one kind of load model knows. Offsets are from the model's own start; nothing here knows phases or journeys. */
export interface LoadModelKind<Model> {
  /**
   * Offsets at which arrivals come: lazily, non-decreasing, a pure function of the model and the seed. A closed model has
   * none.
   */
  arrivals(model: Model, seed: number): Iterable<Micros>;
  /** How many offsets `arrivals` yields. A random model has to draw them all to know. */
  count(model: Model, seed: number): number;
  /** Users of a closed model; empty for an open one. */
  users(model: Model): readonly ClosedUser[];
  /** The journeys that its users have together, instead of each its own; absent: none are shared. */
  sharedIterations?(model: Model): number;
  /** How long it takes, for the phase's length. A model bounded by iterations alone has no planned length: 0. */
  durationUs(model: Model): Micros;
  /** Its parts, end to end from its start; absent of a model that does not say how its load is spread over time. */
  parts?(model: Model): readonly LoadPart[];
  /** For people, with units: `20 per minute for 30 s`. */
  describe(model: Model): string;
}
