/** A closed range, both ends included. */
type Range = [from: number, to: number];

/** With fewer buffered numbers, merging is not worth a pass over all ranges. */
const FEW = 1_024;

/**
 * A set of whole numbers, stored as disjoint closed ranges in rising order. Sequence numbers come almost in order, so millions of
 * them take a few ranges; a Set would grow with the run. Numbers in random order, as in a damaged
 * history, are buffered and merged when there are as many as ranges, so that n of them take O(n log n).
 */
export class NumberSet {
  /** No two ranges touch. */
  #ranges: Range[] = [];
  /** Numbers below the highest that are not yet in the ranges; some may be duplicates. */
  #aside: number[] = [];

  get size(): number {
    return this.#sorted().reduce((sum, [from, to]) => sum + to - from + 1, 0);
  }

  /** The highest member; `undefined` of the empty set. */
  get max(): number | undefined {
    return this.#ranges.at(-1)?.[1];
  }

  /** Whole numbers ≥ 0 up to the highest member that are not members. */
  get gaps(): number {
    return this.max === undefined ? 0 : this.max + 1 - this.size;
  }

  has(value: number): boolean {
    const ranges = this.#sorted();
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ranges[middle] as Range)[1] < value) low = middle + 1;
      else high = middle;
    }
    return low < ranges.length && (ranges[low] as Range)[0] <= value;
  }

  add(value: number): void {
    const last = this.#ranges.at(-1);
    // Fast path: nearly always it is the next number.
    if (last !== undefined && value === last[1] + 1) last[1] = value;
    else if (last === undefined || value > last[1]) this.#ranges.push([value, value]);
    else if (value < last[0]) this.#putAside(value);
  }

  addAll(other: NumberSet): void {
    this.#ranges = union(this.#sorted(), other.#sorted());
  }

  /** How many members are not in `other`. */
  countWithout(other: NumberSet): number {
    const both = new NumberSet();
    both.addAll(this);
    both.addAll(other);
    return both.size - other.size;
  }

  #putAside(value: number): void {
    this.#aside.push(value);
    if (this.#aside.length >= Math.max(FEW, this.#ranges.length)) this.#sorted();
  }

  /** All ranges, including the buffered numbers. */
  #sorted(): readonly Range[] {
    if (this.#aside.length === 0) return this.#ranges;
    const aside = Float64Array.from(this.#aside).sort();
    this.#aside = [];
    this.#ranges = union(
      this.#ranges,
      Array.from(aside, (value): Range => [value, value]),
    );
    return this.#ranges;
  }
}

/** Merges two lists of ranges, each ordered by their lower ends; ranges may overlap. @returns new ranges */
function union(one: readonly Range[], other: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (let i = 0, j = 0; i < one.length || j < other.length; ) {
    const [a, b] = [one[i], other[j]];
    const isFirst = b === undefined || (a !== undefined && a[0] <= b[0]);
    const [from, to] = (isFirst ? a : b) as Range;
    if (isFirst) i += 1;
    else j += 1;
    const last = all.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else all.push([from, to]);
  }
  return all;
}
