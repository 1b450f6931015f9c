import { countBelow, countUpTo, spansOfRows } from '../engines/counted.ts';
import { wordsThat } from '../evidence/columns.ts';
import { Answer, type Evidence } from '../evidence/evidence.ts';

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

function counterOf(evidence: Evidence, isCounted: (row: number) => boolean): (from: number, to: number) => number {
  const { starts, ends } = spansOfRows(evidence, wordsThat(evidence.order, isCounted));
  return (from, to) => countUpTo(starts, to) - countBelow(ends, from);
}
