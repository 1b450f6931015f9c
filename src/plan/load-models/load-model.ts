import type { Micros } from '../../base/index.ts';

/** A stretch of time in which a user starts journeys, as offsets from the model's start. */
export interface ActiveTime {
  readonly fromUs: Micros;
  /** No journey starts at or after this; absent: no such bound (then the user has `iterations`). */
  readonly untilUs?: Micros;
}

/** A virtual user of a closed model: starts its next journey when its last one ended. */
export interface ClosedUser {
  /** In the order of time, apart from one another; at least one. */
  readonly active: readonly ActiveTime[];
  /** Most journeys; absent: no such bound. */
  readonly iterations?: number;
}

/** A value that changes linearly; both members are equal if it is constant. */
export interface Change {
  readonly from: number;
  readonly to: number;
}

/** A part of a load model in which its load is constant or changes linearly. */
export interface LoadPart {
  /** Distinct within the model: `stair-3`; absent for a model with one part. */
  readonly name?: string;
  readonly durationUs: Micros;
  /** Arrivals per minute of an open model, users of a closed one; absent if unknown. */
  readonly level?: Change;
}

/** What one kind of load model provides. Offsets are from the model's own start, independent of phases and journeys. */
export interface LoadModelKind<Model> {
  /**
   * Offsets at which arrivals come: lazily, non-decreasing, a pure function of the model and the seed. A closed model has
   * none.
   */
  arrivals(model: Model, seed: number): Iterable<Micros>;
  /** Number of offsets that `arrivals` yields. A random model has to draw them all to know. */
  count(model: Model, seed: number): number;
  /** Users of a closed model; empty for an open one. */
  users(model: Model): readonly ClosedUser[];
  /** The number of journeys that its users share; absent: each user has its own. */
  sharedIterations?(model: Model): number;
  /** Its duration, for the phase's length. A model limited by iterations alone has no planned length: 0. */
  durationUs(model: Model): Micros;
  /** Its parts, without gaps from its start; absent for a model that does not say how its load is distributed over time. */
  parts?(model: Model): readonly LoadPart[];
  /** As text, with units: `20 per minute for 30 s`. */
  describe(model: Model): string;
}
