import type { Micros } from '../../base/index.ts';

/** A virtual user of a closed model: starts its next journey when its last one ended. */
export interface ClosedUser {
  /** Offset from the model's start. */
  readonly startUs: Micros;
  /** No journey starts at or after this offset; absence means no such bound (then `iterations` is there). */
  readonly untilUs?: Micros;
  /** Journeys at the most; absence means no such bound. */
  readonly iterations?: number;
}

/** What one kind of load model knows. Offsets are from the model's own start; nothing here knows phases or journeys. */
export interface LoadModelKind<Model> {
  /**
   * Offsets at which arrivals come: lazily, non-decreasing, a pure function of the model and the seed. A closed model has
   * none.
   */
  arrivals(model: Model, seed: number): Iterable<Micros>;
  /** How many offsets `arrivals` yields, without yielding them. */
  count(model: Model): number;
  /** Users of a closed model; empty for an open one. */
  users(model: Model): readonly ClosedUser[];
  /** How long it takes, for the phase's length. A model bounded by iterations alone has no planned length: 0. */
  durationUs(model: Model): Micros;
  /** For people, with units: `20 per minute for 30 s`. */
  describe(model: Model): string;
}
