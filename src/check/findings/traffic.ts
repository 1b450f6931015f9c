import { Answer, type Evidence } from '../evidence.ts';
import { risen } from '../rising.ts';

/** How many attempts there may have been meanwhile; by everybody, of any kind. */
export interface Traffic {
  /** Attempts that may have been decided within [from, to], service µs. Doubtful ones always may. */
  within(from: number, to: number): number;
  /** As `within`, without those that were refused. */
  notRefusedWithin(from: number, to: number): number;
}

/** Sorted on first use: most histories do not need it. */
export function trafficOf(evidence: Evidence): Traffic {
  const all = onDemand(() => counterOf(evidence, () => true));
  const notRefused = onDemand(() => counterOf(evidence, (row) => evidence.answer[row] !== Answer.refused));
  return { within: (from, to) => all()(from, to), notRefusedWithin: (from, to) => notRefused()(from, to) };
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function counterOf(
  { from, to, order, size }: Evidence,
  isCounted: (row: number) => boolean,
): (from: number, to: number) => number {
  const starts = new Float64Array(size);
  const ends = new Float64Array(size);
  let count = 0;
  for (let i = 0; i < size; i++) {
    const row = order[i] as number;
    if (!isCounted(row)) continue;
    starts[count] = from[row] as number;
    ends[count] = to[row] as number;
    count += 1;
  }
  const [rising, risingEnds] = [starts.subarray(0, count), risen(ends.subarray(0, count))];
  return (first, last) => below(rising, last, true) - below(risingEnds, first, false);
}

/** How many of a rising list are below `value`, or equal to it where `inclusive`. */
function below(rising: Float64Array, value: number, inclusive: boolean): number {
  let low = 0;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const here = rising[middle] as number;
    if (here < value || (inclusive && here === value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
