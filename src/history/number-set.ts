/**
 * A set of whole numbers kept as disjoint closed ranges in rising order. Sequence numbers come almost in order, so that
 * millions of them take a handful of ranges; a Set would grow with the run.
 */
export class NumberSet {
  /** [from, to], both included; no two touch. */
  readonly #ranges: [number, number][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The highest member; `undefined` of the empty set. */
  get max(): number | undefined {
    return this.#ranges.at(-1)?.[1];
  }

  /** Whole numbers ≥ 0 up to the highest member that are not members. */
  get gaps(): number {
    return this.max === undefined ? 0 : this.max + 1 - this.#size;
  }

  has(value: number): boolean {
    const range = this.#ranges[this.#indexAtOrBefore(value)];
    return range !== undefined && value <= range[1];
  }

  add(value: number): void {
    const last = this.#ranges.at(-1);
    // The next one, as nearly always: nothing else need be looked at.
    if (last !== undefined && value === last[1] + 1) {
      last[1] = value;
      this.#size += 1;
    } else this.addRange(value, value);
  }

  /** Adds from..to, both included. */
  addRange(from: number, to: number): void {
    let first = this.#indexAtOrBefore(from);
    const before = this.#ranges[first];
    if (before === undefined || before[1] < from - 1) first += 1;
    let merged: [number, number] = [from, to];
    let last = first;
    for (let next = this.#ranges[last]; next !== undefined && next[0] <= merged[1] + 1; next = this.#ranges[last]) {
      merged = [Math.min(merged[0], next[0]), Math.max(merged[1], next[1])];
      this.#size -= next[1] - next[0] + 1;
      last += 1;
    }
    this.#ranges.splice(first, last - first, merged);
    this.#size += merged[1] - merged[0] + 1;
  }

  addAll(other: NumberSet): void {
    for (const [from, to] of other.#ranges) this.addRange(from, to);
  }

  /** How many members are not in `other`. */
  countWithout(other: NumberSet): number {
    const both = new NumberSet();
    both.addAll(this);
    both.addAll(other);
    return both.size - other.size;
  }

  /** Index of the last range that begins at or before `value`; −1 when there is none. Looks at the end first. */
  #indexAtOrBefore(value: number): number {
    let low = 0;
    let high = this.#ranges.length - 1;
    if (value >= (this.#ranges[high]?.[0] ?? Number.POSITIVE_INFINITY)) return high;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if ((this.#ranges[middle]?.[0] ?? 0) <= value) low = middle + 1;
      else high = middle - 1;
    }
    return high;
  }
}
