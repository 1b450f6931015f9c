import type { Cores } from '../slots/turn-slice.ts';
import { countBelow } from './counted.ts';

/** Indices of `size` cores that all hold at one instant strictly inside each; `undefined` if there is no such instant. O(n log n). */
export function coincident(cores: Cores, size: number): readonly number[] | undefined {
  if (cores.size < size) return undefined;
  const ends = [...cores.to.keys()].sort((a, b) => (cores.to[a] as number) - (cores.to[b] as number));
  const open = new Set<number>();
  let ended = 0;
  for (let i = 0; i < cores.size; i++) {
    const now = cores.from[i] as number;
    // A core that ends when this one begins is over: the order of equal stamps is unknown.
    while (ended < ends.length && (cores.to[ends[ended] as number] as number) <= now) {
      open.delete(ends[ended] as number);
      ended += 1;
    }
    open.add(i);
    if (open.size >= size) return [...open].sort((a, b) => a - b);
  }
  return undefined;
}

/** Finds out whether fewer than `depth` cores hold at some instant of a closed interval. */
export class Coverage {
  /** Maximal closed intervals with fewer than `depth` cores, rising. */
  readonly #gapFrom: number[] = [Number.NEGATIVE_INFINITY];
  readonly #gapTo: Float64Array;

  constructor(cores: Cores, depth: number) {
    const starts = cores.from;
    const ends = cores.to.slice().sort();
    const gapTo: number[] = [];
    let begun = 0;
    for (let ended = 0; ended < ends.length; ended++) {
      // Cores that begin before this end count up to and including it; a core that begins at the end itself does not cover it.
      const end = ends[ended] as number;
      while (begun < starts.length && (starts[begun] as number) < end) {
        begun += 1;
        if (begun - ended === depth) gapTo.push(starts[begun - 1] as number);
      }
      if (begun - ended === depth) this.#gapFrom.push(end);
    }
    this.#gapTo = Float64Array.from([...gapTo, Number.POSITIVE_INFINITY]);
  }

  /** Whether at least `depth` cores hold at every instant of [from, to]. O(log n). */
  covers(from: number, to: number): boolean {
    return (this.#gapFrom[countBelow(this.#gapTo, from)] ?? Number.POSITIVE_INFINITY) > to;
  }
}

/** A subset of the cores. @param members indices, rising */
export const chosenCores = (cores: Cores, members: readonly number[]): Cores => ({
  size: members.length,
  from: Float64Array.from(members, (i) => cores.from[i] as number),
  to: Float64Array.from(members, (i) => cores.to[i] as number),
  proof: members.map((i) => cores.proof[i] ?? []),
});
