import { floatsWhere } from '../columns.ts';
import { rememberedFor } from '../remembered.ts';
import { risen, risingCopy } from '../rising.ts';
import { Part, type Slice } from '../slice.ts';

/**
 * Attempts that may have counted, as two sorted lists: to count how many had begun by an instant, and how many were certainly
 * decided before it.
 */
export interface Counted {
  /** `starts`: every `from`, rising. `ends`: every `to`, rising. */
  readonly starts: Float64Array;
  readonly ends: Float64Array;
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
