import type { LimitName } from '../api/index.ts';
import type { Bounds } from './bounds.ts';
import type { Judged, Reading } from './reading.ts';
import type { Every } from './readings/every.ts';

/** One way to divide the attempts among buckets and to say which count. */
export interface Variant<S extends Judged> {
  readonly scope: string;
  readonly counts: string;
  /** One slice per bucket. Made on demand, once. */
  readonly slices: () => readonly S[];
  /** Gives the slices back; who asks again waits for them again. */
  readonly forget: () => void;
}

/** A limit as it comes before the judge. */
export interface LimitCase<S extends Judged> {
  readonly limit: LimitName;
  /** The declared reading; `unknown` where none is: then every reading and every variant may be the true one. */
  readonly declared: string;
  readonly bounds: Bounds;
  /** Those that decide: the declared one; where none is declared, all. */
  readonly readings: readonly Reading<S>[];
  /** All of the limit's, to tell what it behaves as where it does not behave as declared. */
  readonly family: readonly Reading<S>[];
  /** What rules out all of the family by one proof. */
  readonly every: Every<S>;
  /**
   * Whether a bucket was seen so full that one more would have been proven too many: else, that it refuses says nothing of how many it
   * admits. Absent: what explains a refusal shows that.
   */
  readonly wasSeenFull?: (slice: S) => boolean;
  /** As the profile declares it. */
  readonly asDeclared: Variant<S>;
  /** Other buckets that may be the true ones, the widest first, to tell what the limit behaves as where it does not behave as declared. */
  readonly elsewhere: readonly Variant<S>[];
  /** Only where the reading is unknown. */
  readonly unknown?: {
    /** What it over-admits, every variant over-admits. */
    readonly narrowest: Variant<S>;
    /** A refusal that it cannot explain, no variant can. */
    readonly widest: Variant<S>;
    /** Tried only when the extremes do not decide; of a large history only when no reading survives otherwise. */
    readonly others: readonly Variant<S>[];
  };
}

/** More attempts than these, and nothing is judged beyond what the verdict needs: each further variant costs as much as all before. */
export const MOST_JUDGED = 20_000;

export const attemptsOf = <S extends Judged>({ asDeclared }: Pick<LimitCase<S>, 'asDeclared'>): number =>
  asDeclared.slices().reduce((sum, { part }) => sum + part.length, 0);

/** Makes a variant whose slices are made once. */
export function variant<S extends Judged>(scope: string, counts: string, make: () => readonly S[]): Variant<S> {
  let made: readonly S[] | undefined;
  return {
    scope,
    counts,
    slices: () => {
      made ??= make();
      return made;
    },
    forget: () => {
      made = undefined;
    },
  };
}
