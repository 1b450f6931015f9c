import { floatsOf, floatsWhere } from '../evidence/columns.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { risen, risingCopy } from '../rising.ts';
import { Peaks } from './peaks.ts';

/**
 * Intervals as two lists, each rising: to count how many had begun by an instant, and how many were certainly over before it. Which
 * start belongs to which end is lost.
 */
export interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** When the decisions on rows of the evidence lie. @param rows rising in `from` */
export const spansOfRows = (
  { from, to }: { readonly from: Float64Array; readonly to: Float64Array },
  rows: Uint32Array,
): Spans => ({
  starts: floatsOf(rows.length, (i) => from[rows[i] as number] as number),
  ends: risen(floatsOf(rows.length, (i) => to[rows[i] as number] as number)),
});

/** The attempts that may have counted. */
export interface Counted extends Spans {
  readonly refusedToo: boolean;
}

const withoutRefused = rememberedFor(({ from, to, part }: Slice): Counted => {
  const counts = (i: number) => part[i] !== Part.refused;
  return { starts: floatsWhere(from, counts), ends: risen(floatsWhere(to, counts)), refusedToo: false };
});
const withRefused = rememberedFor(
  ({ from, to }: Slice): Counted => ({ starts: from, ends: risingCopy(to), refusedToo: true }),
);

/** @param refusedToo whether refusals that are certainly this limit's count, too; ambiguous ones may have counted in any case */
export const countedOf = (slice: Slice, refusedToo: boolean): Counted =>
  refusedToo ? withRefused(slice) : withoutRefused(slice);

/** Whether the refusal itself is in the lists and has to be subtracted. */
export const countsItself = (slice: Slice, position: number, counted: Counted): boolean =>
  counted.refusedToo || slice.part[position] !== Part.refused;

/**
 * If more began while a refusal was under way, a search among many refusals uses the coarse count only, which is sound; a proof looks
 * the most up, so that it is never quadratic.
 */
const FINE_STARTS = 64;

/**
 * The most that may have counted at any one instant of [from, to], ends included: max over t of #{i : s_i ≤ t, r_i ≥ t − lookBack}
 * (limits.md 5.1).
 * @param enough the exact count is skipped if the coarse one is below this; absent: always exact
 */
export function mostAtOnce(
  spans: Spans,
  { from, to, lookBackUs = 0 }: { readonly from: number; readonly to: number; readonly lookBackUs?: number },
  enough?: number,
): number {
  const { starts, ends } = spans;
  const begun = countUpTo(starts, from);
  const begunLast = countUpTo(starts, to);
  const coarse = begunLast - countBelow(ends, from - lookBackUs);
  if (enough !== undefined && (coarse < enough || begunLast - begun > FINE_STARTS)) return coarse;
  // The count rises only when something begins.
  let most = begun - countBelow(ends, from - lookBackUs);
  if (begunLast - begun > FINE_STARTS) return Math.max(most, peaksOf(spans, lookBackUs).within(begun, begunLast));
  for (let i = begun; i < begunLast; i++)
    most = Math.max(most, i + 1 - countBelow(ends, (starts[i] as number) - lookBackUs));
  return most;
}

/** Those for the last look-back, because a proof asks about one refusal after another. */
const lastPeaks = new WeakMap<Spans, { readonly lookBackUs: number; readonly peaks: Peaks }>();

/** For each beginning, in order: how many count at that instant. */
function peaksOf(spans: Spans, lookBackUs: number): Peaks {
  const known = lastPeaks.get(spans);
  if (known?.lookBackUs === lookBackUs) return known.peaks;
  const { starts, ends } = spans;
  let over = 0;
  const counts = Int32Array.from(starts, (start, i) => {
    while (over < ends.length && (ends[over] as number) < start - lookBackUs) over += 1;
    return i + 1 - over;
  });
  const peaks = new Peaks(counts);
  lastPeaks.set(spans, { lookBackUs, peaks });
  return peaks;
}

/** How many of a rising list are ≤ `value`. */
export function countUpTo(rising: Float64Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many of a rising list are < `value`. */
export function countBelow(rising: Float64Array | Uint32Array, value: number): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
