import type { Micros } from '../../base/index.ts';

/** A time span in which a user starts journeys, as offsets from the model's start. */
export interface ActiveTime {
  readonly fromUs: Micros;
  /** No journey starts at or after this; absent: only `iterations` limits the user. */
  readonly untilUs?: Micros;
}

/** A virtual user of a closed model, who starts its next journey after the previous one ended. */
export interface ClosedUser {
  /** In order of time, not overlapping; at least one. */
  readonly active: readonly ActiveTime[];
  /** Highest number of journeys; absent: unlimited, or limited by `sharedIterations`. */
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
  /** Arrivals per minute of an open model, users of a closed one. */
  readonly level: Change;
}

/** A kind of load model. Offsets count from the model's own start, independent of phases and journeys. */
export interface LoadModelKind<Model> {
  /**
   * Offsets of the arrivals: computed lazily, non-decreasing, a pure function of the model and the seed. Empty for a closed model.
   */
  arrivals(model: Model, seed: number): Iterable<Micros>;
  /** Number of offsets that `arrivals` yields. A random model has to draw all of them. */
  count(model: Model, seed: number): number;
  /** Users of a closed model; empty for an open one. */
  users(model: Model): readonly ClosedUser[];
  /** Number of journeys that all users share; absent: each user has its own iterations. */
  sharedIterations?(model: Model): number;
  /** Planned duration, which determines the length of the phase; 0 if only iterations limit the model. */
  durationUs(model: Model): Micros;
  /** Set if the last arrival comes at the very end of the duration. */
  readonly endsWithArrival?: true;
  /** Its parts, without gaps from its start; absent for a model whose load over time is unknown. */
  parts?(model: Model): readonly LoadPart[];
  /** The model as text, with units: `20 per minute for 30 s`. */
  describe(model: Model): string;
}
