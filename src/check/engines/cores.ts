import type { Cores } from '../slots/turn-slice.ts';
import { countBelow, countUpTo } from './counted.ts';

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

/** Tells which cores hold at every instant of a closed interval. */
export class Enclosing {
  readonly #cores: Cores;
  readonly #ends: Float64Array;

  constructor(cores: Cores) {
    this.#cores = cores;
    this.#ends = cores.to.toSorted();
  }

  /** Whether `size` cores hold throughout, if no more of them ever hold at one instant: then no other holds meanwhile. O(log n). */
  areThere(from: number, to: number, size: number): boolean {
    return countBelow(this.#cores.from, from) - countUpTo(this.#ends, to) >= size;
  }

  /** Their indices, rising. */
  of(from: number, to: number): readonly number[] {
    const { from: starts, to: ends } = this.#cores;
    return [...starts.keys()].filter((k) => (starts[k] as number) < from && (ends[k] as number) > to);
  }
}
