import { Answer, type Evidence } from '../evidence/evidence.ts';
import { isRefusal, Part } from '../evidence/slice.ts';
import type { Judged, Reading } from '../reading.ts';
import { firstUnexplained, refutation } from './judge-reading.ts';
import type { Variants } from './judge-variants.ts';
import { type LimitCase, type Variant, variantOf } from './limit-case.ts';
import { exceededAsDeclared, missingFor, NOTHING_ADMITTED, numberNotShown, seenTooLate } from './missing.ts';

/* Whether a history shows that a limit which no proof rules out is reached and kept. */

/** The refusals of a limit. */
export interface RefusalCounts {
  /** How many are attributed to this limit. */
  readonly attributed: number;
  /** How many of these some reading explains. */
  readonly explained: number;
}

/** What the history lacks to show that the limit is kept; undefined if nothing. */
export function missingIn<S extends Judged>(
  about: LimitCase<S>,
  judged: readonly Variants[],
  { attributed, explained }: RefusalCounts,
  evidence: Evidence,
): readonly string[] | undefined {
  const isReached = isSurelyReached(about, explained, evidence);
  const exceeded = isExceeded(about, judged);
  const isKept = !exceeded || isFilled(about, judged, evidence);
  if (isReached && isKept && showsItsNumber(about, judged, evidence)) return undefined;
  if (exceeded) return [exceededAsDeclared(about)];
  if (isReached) return about.wasSeenFull ? [seenTooLate(about.bounds.max)] : numberNotShown(about, evidence);
  if (explained > 0 && !isMeasurable(about, evidence)) return [];
  return explained > 0 ? [NOTHING_ADMITTED] : missingFor(about, attributed, evidence);
}

/** Whether some reading explains refusals, requests were admitted, and durations are certain. */
export const isSurelyReached = <S extends Judged>(
  about: LimitCase<S>,
  explained: number,
  evidence: Evidence,
): boolean => explained > 0 && admitsAny(about, evidence) && isMeasurable(about, evidence);

/** Whether any duration at the service is certain. If none is, every reading explains everything. */
const isMeasurable = <S extends Judged>(
  { bounds: { windowUs, shortUs } }: LimitCase<S>,
  { timeline }: Evidence,
): boolean => !timeline.mayLackRecords && (windowUs === 0 || shortUs > 0);

/** Whether every reading is exceeded as declared, though not under every variant. */
const isExceeded = <S extends Judged>({ asDeclared, unknown }: LimitCase<S>, judged: readonly Variants[]): boolean =>
  unknown !== undefined &&
  judged.every(({ told }) => told.some((one) => one.scope === asDeclared.scope && one.overAdmission !== undefined));

/**
 * Whether a surviving reading has a bucket in which as many were admitted within a window as it holds, or one less, since some
 * rate readings may leave one. If nearly every request has its own bucket, any refusal for any other reason would make a limit of
 * any number look kept.
 */
const isFilled = <S extends Judged>(about: LimitCase<S>, judged: readonly Variants[], evidence: Evidence): boolean =>
  judged.some((one) => survivingSlices(about, one).some((slice) => isFull(slice, about, evidence)));

/** The buckets of all surviving variants of a reading. */
const survivingSlices = <S extends Judged>(about: LimitCase<S>, { told, refuted }: Variants): readonly S[] =>
  (refuted ? [] : told.filter((one) => !refutation(one))).flatMap((one) => variantOf(about, one)?.slices() ?? []);

/**
 * Whether the history shows the number of some surviving reading. Of a limit of turns: a bucket so full that one more would be a
 * proof of too many, or a refusal that would be unexplained if the number were one higher. Of other limits: a full bucket, or a
 * refusal that would be proven wrong if the number were much lower; without either, a service of 5 a minute that declares 20
 * would be consistent wherever others may use the limit, too.
 */
function showsItsNumber<S extends Judged>(
  about: LimitCase<S>,
  judged: readonly Variants[],
  evidence: Evidence,
): boolean {
  const { wasSeenFull, bounds } = about;
  if (!wasSeenFull) return canProveRefusals(about, judged) || isFilled(about, judged, evidence);
  const oneMore = { ...bounds, max: bounds.max + 1 };
  return judged.some((one, i) =>
    survivingSlices(about, one).some(
      (slice) => wasSeenFull(slice) || firstUnexplained(about.readings[i] as Reading<S>, slice, oneMore) !== undefined,
    ),
  );
}

/** Whether one of the refusals was late enough to be proven wrong: nothing that the history does not contain may explain it. */
function canProveRefusals<S extends Judged>(about: LimitCase<S>, judged: readonly Variants[]): boolean {
  const { refusals } = about.bounds;
  if (!refusals.provable) return false;
  const isProvable = ({ part, from }: S, i: number) => isRefusal(part[i]) && (from[i] as number) >= refusals.fromUs;
  return judged.some((one) =>
    survivingSlices(about, one).some((slice) => Array.prototype.some.call(slice.part, (_, i) => isProvable(slice, i))),
  );
}

function isFull<S extends Judged>({ part, row }: S, { limit, bounds }: LimitCase<S>, { from }: Evidence): boolean {
  const admittedAt: number[] = [];
  for (let i = 0; i < part.length; i++)
    if (part[i] === Part.admitted) admittedAt.push(from[row[i] as number] as number);
  const wanted = limit === 'rate' && bounds.max > 2 ? bounds.max - 1 : bounds.max;
  // How many turns were open at once is not checked: that so many were accepted is enough to leave it open.
  const withinUs = limit === 'concurrency' ? Number.POSITIVE_INFINITY : bounds.windowUs;
  admittedAt.sort((a, b) => a - b);
  return admittedAt.some((at, first) => (admittedAt[first + wanted - 1] ?? Number.POSITIVE_INFINITY) - at <= withinUs);
}

/**
 * Whether a refused row counts as a refusal by this limit: under the declared variant, or under any variant if no reading is
 * declared. A code may name a limit that does not count such requests at all; that refusal shows nothing about the limit.
 */
export function mayHaveRefused<S extends Judged>(
  { asDeclared, unknown }: LimitCase<S>,
  { size }: Evidence,
): (row: number) => boolean {
  let declared: Uint8Array | undefined;
  let widest: Uint8Array | undefined;
  return (row) => {
    declared ??= refusedIn(asDeclared, size);
    if (declared[row] === 1) return true;
    if (unknown) widest ??= refusedIn(unknown.widest, size);
    return widest?.[row] === 1;
  };
}

function refusedIn<S extends Judged>(how: Variant<S>, size: number): Uint8Array {
  const refused = new Uint8Array(size);
  for (const { row, part } of how.slices())
    for (let i = 0; i < part.length; i++) if (isRefusal(part[i])) refused[row[i] as number] = 1;
  return refused;
}

const admitsAny = <S extends Judged>({ asDeclared }: LimitCase<S>, { answer }: Evidence): boolean =>
  asDeclared.slices().some(({ part, row }) =>
    // An attempt that may be a repetition is `maybe` for this limit, but was admitted.
    Array.prototype.some.call(part, (one, i) => one === Part.admitted || answer[row[i] as number] === Answer.admitted),
  );
