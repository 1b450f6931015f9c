import type { LimitName } from '../api/index.ts';
import type { Draft } from './certificates/draft.ts';
import type { Bounds } from './evidence/bounds.ts';
import type { ScopeLabels } from './evidence/slice.ts';

/** An inclusive range; an end is absent if nothing in the history bounds it. */
export interface Range {
  readonly from?: number;
  readonly to?: number;
}

/**
 * Ranges of numbers with which a reading explains the history; each is valid while the others are as declared. `max`: requests
 * per declared window, or turns at once. `windowUs`: a window for the declared count. `capacity`: size of a bucket; `perWindow`:
 * tokens that it regains per declared window. `releaseGraceUs`: how long a slot stays taken after its turn.
 */
export type Numbers = Readonly<
  Partial<Record<'max' | 'windowUs' | 'capacity' | 'perWindow' | 'releaseGraceUs', Range>>
>;

/** What a surviving reading may still be. `phaseUs`: the arcs in which fixed windows may begin, service µs since 1970 modulo W. */
export type Parameters = Numbers & { readonly phaseUs?: readonly (readonly [number, number])[] };

/** By limit, readings to judge instead of those that the header declares. */
export type DeclaredReadings = Readonly<Partial<Record<LimitName, string>>>;

/** What every reading gets to judge; extended by `Slice` and by the material of other limits. */
export interface Judged {
  readonly scope: ScopeLabels;
  /** Number of attempts; further positions are observations. */
  readonly size: number;
  /** Per position: row of the evidence, and the interval in which the decision lies. */
  readonly row: ArrayLike<number>;
  readonly from: ArrayLike<number>;
  readonly to: ArrayLike<number>;
  readonly part: ArrayLike<number>;
}

/**
 * One exact meaning of a limit: an algorithm, compared with the attempts of one bucket. Both engines are one-sided, so each is
 * sound by itself.
 * @typeParam S what it judges: attempts (`Slice`) for rate and daily, turns for concurrency
 */
export interface Reading<S extends Judged> {
  /** Kebab-case, as in profiles: `sliding-log`. */
  readonly name: string;
  /** Other names of the same behaviour, which cannot be distinguished by counting. */
  readonly aliases: readonly string[];
  /**
   * Completes "behaves as …": `a sliding log of 20 per 60 s per application, refused requests not counted`.
   * @param whose follows the numbers: ` per application`; empty if everybody shares one bucket
   */
  readonly describe: (bounds: Bounds, whose: string) => string;
  /** Which numbers it has: a count; a count per window; capacity and refill of a bucket; or slots and their release. */
  readonly numbers: 'count' | 'window' | 'bucket' | 'slots';
  /**
   * A proof that more was admitted than the reading allows. Monotone: it uses only attempts that certainly counted, so foreign
   * traffic, lost records and unknown outcomes can only strengthen it; one that must know when windows began requires a bucket that
   * is completely known (`Slice.whole`). Uses `bounds.shortUs`.
   */
  overAdmission(slice: S, bounds: Bounds): Draft | undefined;
  /**
   * Refusals that the reading cannot explain even if everything that may have counted did count: positions in the slice of
   * `refused` and `ambiguous` attempts, rising. Anti-monotone. Uses `bounds.longUs`. Empty unless `bounds.refusals.provable`;
   * without refusals before `bounds.refusals.fromUs`. To refute the reading, callers take only the first.
   */
  unexplained(slice: S, bounds: Bounds): Iterable<number>;
  /** The proof for one of these positions. */
  wrongfulRefusal(slice: S, bounds: Bounds, position: number): Draft;
  /** A proof that what was admitted and what was refused contradict one another; used if neither engine alone refutes. */
  inconsistent?(slice: S, bounds: Bounds): Draft | undefined;
  /** Such a proof that holds with any N and with any longer window. Part of `inconsistent`, too. */
  inconsistentForAnyNumber?(slice: S, bounds: Bounds): Draft | undefined;
  parameters?(slice: S, bounds: Bounds): Parameters;
}
