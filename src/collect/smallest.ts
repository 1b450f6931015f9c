/**
 * The first `limit` of any number of items in an order. A dropped item can never come back, since `limit` smaller ones exist; so
 * the order of adding does not matter, and two parts can be merged.
 */
export class Smallest<T> {
  readonly #limit: number;
  readonly #order: (a: T, b: T) => number;
  #items: T[] = [];

  constructor(limit: number, order: (a: T, b: T) => number) {
    this.#limit = limit;
    this.#order = order;
  }

  add(item: T): void {
    const last = this.#items.at(-1);
    if (this.#items.length >= this.#limit && last !== undefined && this.#order(item, last) >= 0) return;
    this.#items = [...this.#items, item].sort(this.#order).slice(0, this.#limit);
  }

  merge(other: Smallest<T>): void {
    for (const item of other.#items) this.add(item);
  }

  items(): readonly T[] {
    return this.#items;
  }
}

/** Counts per key of the `limit` first keys in alphabetical order, each complete; see `Smallest`. */
export class CountsOfFirstKeys {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(key: string, count = 1): void {
    const known = this.#counts.get(key);
    if (known === undefined && this.#counts.size >= this.#limit) {
      const greatest = [...this.#counts.keys()].sort().at(-1);
      if (greatest === undefined || key > greatest) return;
      this.#counts.delete(greatest);
    }
    this.#counts.set(key, (known ?? 0) + count);
  }

  merge(other: CountsOfFirstKeys): void {
    for (const [key, count] of other.#counts) this.add(key, count);
  }

  entries(): (readonly [string, number])[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}
