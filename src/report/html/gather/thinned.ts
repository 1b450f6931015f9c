/**
 * Items of which only every 1st, 2nd, 4th, … is kept, so that memory is bounded whatever comes. Which ones depends on their
 * order alone: the same journal gives the same picture.
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

  /** Lets every second one go. */
  halve(): void {
    this.#items = this.#items.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }

  get items(): readonly T[] {
    return this.#items;
  }

  /** One in how many is kept. */
  get stride(): number {
    return this.#stride;
  }

  get seen(): number {
    return this.#seen;
  }
}
