import { NumberSet } from '../history/index.ts';

const PAGE_BITS = 1_024;
const WORD_BITS = 32;

/** A range of `PAGE_BITS` numbers, one bit each. */
class Page {
  readonly words = new Uint32Array(PAGE_BITS / WORD_BITS);
  count = 0;

  add(bit: number): void {
    const at = bit >>> 5;
    const mask = 1 << (bit & 31);
    const word = this.words[at] as number;
    if ((word & mask) !== 0) return;
    this.words[at] = word | mask;
    this.count += 1;
  }

  has(bit: number): boolean {
    return ((this.words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0;
  }
}

/**
 * Counts distinct whole numbers ≥ 0, added in any order and possibly repeatedly. Only incomplete pages are kept as bits, so memory
 * does not grow with a run. A set of ranges alone would take fifteen times as long if numbers come out of order, as those of
 * parallel journeys do.
 */
export class DistinctCount {
  readonly #pages = new Map<number, Page>();
  /** Numbers of complete pages. */
  readonly #full = new NumberSet();
  /** Number of the page used last, which is nearly always the next one too. */
  #lastNumber = -1;
  /** The page used last; absent if it is complete. */
  #last: Page | undefined;

  get size(): number {
    let size = this.#full.size * PAGE_BITS;
    for (const { count } of this.#pages.values()) size += count;
    return size;
  }

  add(value: number): void {
    const number = Math.floor(value / PAGE_BITS);
    const page = number === this.#lastNumber ? this.#last : this.#pageOf(number);
    if (page === undefined) return;
    page.add(value - number * PAGE_BITS);
    if (page.count === PAGE_BITS) this.#fill(number);
  }

  merge(other: DistinctCount): void {
    this.#full.addAll(other.#full);
    for (const number of this.#pages.keys()) if (this.#full.has(number)) this.#pages.delete(number);
    this.#lastNumber = -1;
    for (const [number, page] of other.#pages)
      for (let bit = 0; bit < PAGE_BITS; bit++) if (page.has(bit)) this.add(number * PAGE_BITS + bit);
  }

  #pageOf(number: number): Page | undefined {
    const page = this.#pages.get(number) ?? (this.#full.has(number) ? undefined : new Page());
    if (page) this.#pages.set(number, page);
    this.#lastNumber = number;
    this.#last = page;
    return page;
  }

  #fill(number: number): void {
    this.#full.add(number);
    this.#pages.delete(number);
    this.#last = undefined;
  }
}
