import type { LimitName } from '../api/index.ts';
import type { Bounds } from './bounds.ts';
import type { Draft } from './draft.ts';
import type { ScopeLabels } from './slice.ts';

/** From and to, both included; an end is absent where nothing that was seen bounds it. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Numbers with which a reading explains what was seen, each while the others are as declared. `max`: how many per declared window,
 * or at once. `windowUs`: a window for the declared count. `capacity` of a bucket, `perWindow` what it regains per declared window.
 * `releaseGraceUs`: how long a slot stays taken after its turn.
 */
export type Numbers = Readonly<
  Partial<Record<'max' | 'windowUs' | 'capacity' | 'perWindow' | 'releaseGraceUs', Range>>
>;

/** What a surviving reading may still be. `phaseUs`: the arcs in which fixed windows can begin, service µs mod W since 1970. */
export type Parameters = Numbers & { readonly phaseUs?: readonly (readonly [number, number])[] };

/** Readings to judge instead of those that the history's header declares, by limit. */
export type DeclaredReadings = Readonly<Partial<Record<LimitName, string>>>;

/** What every reading's material has: `Slice`, and what other limits add to it. */
export interface Judged {
  readonly scope: ScopeLabels;
  /** Per position: row of the evidence, and the interval of the decision. */
  readonly row: ArrayLike<number>;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly part: ArrayLike<number>;
}

/**
 * One exact meaning of a limit: an algorithm, judged against the attempts of one bucket. Both engines are one-sided, so that
 * each is sound by itself.
 * @typeParam S what it judges: attempts (`Slice`) for rate and daily, turns for concurrency
 */
export interface Reading<S extends Judged> {
  /** Kebab-case, as profiles declare it: `sliding-log`. */
  readonly name: string;
  readonly limit: LimitName;
  /** Other names of the same behaviour: nobody can tell them apart by counting. */
  readonly aliases: readonly string[];
  /**
   * Completes "behaves as …": `a sliding log of 20 per 60 s per application, refused requests not counted`.
   * @param whose stands behind the numbers: ` per application`; empty where everybody shares one bucket
   */
  readonly describe: (bounds: Bounds, whose: string) => string;
  /** Which numbers it has: how many; and over what window; or how many a bucket holds and regains; or slots and their release. */
  readonly numbers: 'count' | 'window' | 'bucket' | 'slots';
  /**
   * More was admitted than can be. Monotone: proved from `admitted` attempts alone, so that foreign traffic, lost records
   * and unknown outcomes can only make it worse. Uses `bounds.shortUs`.
   */
  overAdmission(slice: S, bounds: Bounds): Draft | undefined;
  /**
   * Refusals (positions in the slice of `refused` and `ambiguous` attempts, rising) that this reading cannot explain although
   * everything that may have counted is counted. Anti-monotone. Uses `bounds.longUs`. Empty unless `bounds.refusals.provable`;
   * refusals before `bounds.refusals.fromUs` are left out. Where the reading is refuted by any, only the first is asked for.
   */
  unexplained(slice: S, bounds: Bounds): Iterable<number>;
  /** The proof for one of these positions. */
  wrongfulRefusal(slice: S, bounds: Bounds, position: number): Draft;
  /** What was admitted and what was refused cannot both be: tried when neither engine alone refutes. */
  inconsistent?(slice: S, bounds: Bounds): Draft | undefined;
  parameters?(slice: S, bounds: Bounds): Parameters;
}
