import type { Slice } from '../evidence/slice.ts';

/** What a group of decisions says about a boundary before or behind it; without any: from ∞ to −∞. */
export interface Extent {
  readonly size: number;
  /** The earliest possible decision. */
  readonly from: number;
  /** The latest. */
  readonly to: number;
}

export const NOBODY: Extent = { size: 0, from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };

export function extentOf({ from, to }: Slice, positions: readonly number[]): Extent {
  let [first, last] = [NOBODY.from, NOBODY.to];
  for (const position of positions) {
    first = Math.min(first, from[position] as number);
    last = Math.max(last, to[position] as number);
  }
  return { size: positions.length, from: first, to: last };
}

/** A group of attempts that loses members at its ends; one that began early need not end early. */
export class Members {
  readonly #slice: Slice;
  readonly #rising: readonly number[];
  readonly #byEnd: readonly number[];
  readonly #gone = new Set<number>();
  #first = 0;
  #last: number;

  /** @param positions in any order */
  constructor(slice: Slice, positions: readonly number[]) {
    this.#slice = slice;
    this.#rising = [...positions].sort((a, b) => a - b);
    this.#byEnd = [...positions].sort((a, b) => (slice.to[a] as number) - (slice.to[b] as number) || a - b);
    this.#last = positions.length - 1;
  }

  get extent(): Extent {
    return this.without(-1);
  }

  get positions(): number[] {
    return this.#rising.filter((one) => !this.#gone.has(one));
  }

  /** The member that began first; −1 if nobody is left. */
  get first(): number {
    return this.#rising[this.#first] ?? -1;
  }

  /** The member that ended last; −1 if nobody is left. */
  get last(): number {
    return this.#byEnd[this.#last] ?? -1;
  }

  /** What would be left without one of the two; −1: everybody. */
  without(member: number): Extent {
    const size = this.#rising.length - this.#gone.size - (member < 0 ? 0 : 1);
    if (size <= 0) return NOBODY;
    const isLeft = (one: number) => one !== member && !this.#gone.has(one);
    let [first, last] = [this.#first, this.#last];
    while (!isLeft(this.#rising[first] as number)) first += 1;
    while (!isLeft(this.#byEnd[last] as number)) last -= 1;
    const { from, to } = this.#slice;
    return {
      size,
      from: from[this.#rising[first] as number] as number,
      to: to[this.#byEnd[last] as number] as number,
    };
  }

  remove(member: number): void {
    this.#gone.add(member);
    while (this.#gone.has(this.first)) this.#first += 1;
    while (this.#gone.has(this.last)) this.#last -= 1;
  }
}
