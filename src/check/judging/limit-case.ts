import type { LimitName } from '../../api/index.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { isRefusal } from '../evidence/slice.ts';
import type { Judged, Reading } from '../reading.ts';
import type { Every } from '../readings/every.ts';

/** One way to divide the attempts into buckets and to select which count. */
export interface Variant<S extends Judged> {
  readonly scope: string;
  readonly counts: string;
  /** One slice per bucket; computed at the first call and kept. */
  readonly slices: () => readonly S[];
  /** Releases the slices; the next call of `slices` computes them again. */
  readonly forget: () => void;
}

/** A limit with everything that is needed to judge it. */
export interface LimitCase<S extends Judged> {
  readonly limit: LimitName;
  /** The declared reading; `unknown` if none is declared: then any reading may be the true one. */
  readonly declared: string;
  readonly bounds: Bounds;
  /** The readings that decide the verdict: the declared one; if none is declared, all. */
  readonly readings: readonly Reading<S>[];
  /** All readings of the limit, to infer what it behaves as if it does not behave as declared. */
  readonly family: readonly Reading<S>[];
  /** A check that rules out the whole family by one proof. */
  readonly every: Every<S>;
  /**
   * Whether a bucket was so full that one more would be a proof of too many. Otherwise a refusal does not show how many it
   * admits. Absent: explaining a refusal shows that.
   */
  readonly wasSeenFull?: (slice: S) => boolean;
  /** The same limit before an instant (service µs), to infer from the beginning of a long history; absent: that is not done. */
  readonly before?: (endUs: number) => LimitCase<S>;
  /** The variant that the profile declares. */
  readonly asDeclared: Variant<S>;
  /**
   * Other divisions into buckets that may be the true one, the widest first, to infer what the limit behaves as if it does not
   * behave as declared.
   */
  readonly elsewhere: readonly Variant<S>[];
  /** Absent if the profile leaves nothing open of how requests are divided and which count. */
  readonly unknown?: {
    /** What this variant over-admits, every variant over-admits. */
    readonly narrowest: Variant<S>;
    /** A refusal that this variant cannot explain, no variant can. */
    readonly widest: Variant<S>;
    /** Whether a row need not count at all: then a limit of which nobody knows may have refused it. Absent: every row counts. */
    readonly mayBeFree?: (row: number) => boolean;
    /** Tried only if the extremes do not decide; in a large history only if no reading survives otherwise. */
    readonly others: readonly Variant<S>[];
  };
}

/** Whether no reading is declared. Then an unknown one may be the true one, too, for example one that blocks after a refusal. */
export const isAnyPossible = ({ declared }: Pick<LimitCase<Judged>, 'declared'>): boolean => declared === 'unknown';

/** In a history with more attempts, only what the verdict needs is judged: each further variant costs as much as all before it. */
export const MOST_JUDGED = 20_000;

/**
 * The buckets of a variant that can rule out a reading: every reading admits up to N requests, whenever they come. Engines see no
 * others, because each keeps what it gathers of a bucket, and there may be a million of one request each.
 */
export const tellingSlices = <S extends Judged>(
  { bounds: { max } }: Pick<LimitCase<S>, 'bounds'>,
  how: Variant<S>,
): readonly S[] => how.slices().filter(({ size, part }) => size > max || Array.prototype.some.call(part, isRefusal));

export const attemptsOf = <S extends Judged>({ asDeclared }: Pick<LimitCase<S>, 'asDeclared'>): number =>
  asDeclared.slices().reduce((sum, { part }) => sum + part.length, 0);

/** A variant whose slices are computed once. */
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

/** The variant of these buckets and of what counts there, if it is one that may be judged as a whole. */
export const variantOf = <S extends Judged>(
  { asDeclared, unknown, elsewhere }: LimitCase<S>,
  { scope, counts }: Pick<Variant<S>, 'scope' | 'counts'>,
): Variant<S> | undefined =>
  [asDeclared, ...(unknown?.others ?? []), ...elsewhere].find((one) => one.scope === scope && one.counts === counts);

/** Whether the service may count in other buckets than those declared. */
export const isScopeOpen = <S extends Judged>({ asDeclared, unknown }: LimitCase<S>): boolean =>
  unknown?.others.some(({ scope }) => scope !== asDeclared.scope) ?? false;
