import { Answer, type Evidence } from '../evidence.ts';

/** How many attempts there may have been meanwhile; everybody's, whatever they asked for. */
export interface Traffic {
  /** Attempts that may have been decided within [from, to], service µs. Doubtful ones always may. */
  within(from: number, to: number): number;
  /** As `within`, without those that were refused. */
  notRefusedWithin(from: number, to: number): number;
}

/** Sorted when it is first asked for: most histories never ask. */
export function trafficOf(evidence: Evidence): Traffic {
  const all = onDemand(() => counterOf(evidence, evidence.order));
  const notRefused = onDemand(() =>
    counterOf(
      evidence,
      evidence.order.filter((row) => evidence.answer[row] !== Answer.refused),
    ),
  );
  return { within: (from, to) => all()(from, to), notRefusedWithin: (from, to) => notRefused()(from, to) };
}

function onDemand<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** @param rising rows in rising order of `from` */
function counterOf({ from, to }: Evidence, rising: Uint32Array): (from: number, to: number) => number {
  const starts = Float64Array.from(rising, (row) => from[row] as number);
  const ends = Float64Array.from(rising, (row) => to[row] as number).sort();
  return (first, last) => below(starts, last, true) - below(ends, first, false);
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
