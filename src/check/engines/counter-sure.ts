import { floatsOf } from '../evidence/columns.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { countBelow } from './counted.ts';
import type { UnpausedStretch } from './counter-stretches.ts';

/** Attempts of a stretch that certainly weigh in, as positions in two orders, with the values by which these rise. */
export interface Sure {
  readonly slice: Slice;
  readonly byBegin: Uint32Array;
  readonly begins: Float64Array;
  readonly byEnd: Uint32Array;
  readonly ends: Float64Array;
}

/** Those of a stretch that were admitted and decided before its end. */
export function sureIn(slice: Slice, { first, end, until }: UnpausedStretch): Sure {
  const { from, to, part } = slice;
  const positions: number[] = [];
  for (let i = first; i < end; i++) if (part[i] === Part.admitted && (to[i] as number) < until) positions.push(i);
  const byBegin = Uint32Array.from(positions);
  const byEnd = Uint32Array.from(positions.sort((a, b) => (to[a] as number) - (to[b] as number) || a - b));
  const valuesOf = (values: Float64Array, order: Uint32Array) =>
    floatsOf(order.length, (i) => values[order[i] as number] as number);
  return { slice, byBegin, begins: valuesOf(from, byBegin), byEnd, ends: valuesOf(to, byEnd) };
}

/** Those certainly decided within [since, until), rising in their ends. */
export function sureWithin({ slice, byEnd, ends }: Sure, since: number, until: number): number[] {
  const found: number[] = [];
  const end = countBelow(ends, until);
  for (let i = countBelow(ends, since); i < end; i++)
    if ((slice.from[byEnd[i] as number] as number) >= since) found.push(byEnd[i] as number);
  return found;
}
