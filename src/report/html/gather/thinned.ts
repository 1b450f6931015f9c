/**
 * A list that keeps every item, or every 2nd, 4th, … one, so that memory is bounded. The selection depends only on the order of the
 * items, so the same journal gives the same chart.
 */
export class Thinned<T> {
  #items: T[] = [];
  #stride = 1;
  #seen = 0;

  /** @returns whether it was kept */
  add(item: T): boolean {
    const kept = this.#seen % this.#stride === 0;
    if (kept) this.#items.push(item);
    this.#seen += 1;
    return kept;
  }

  /** Discards every second item. */
  halve(): void {
    this.#items = this.#items.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  /** One in this many items is kept. */
  get stride(): number {
    return this.#stride;
  }

  get seen(): number {
    return this.#seen;
  }
}
