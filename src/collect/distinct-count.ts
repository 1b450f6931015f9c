const PAGE_BITS = 1_024;
const WORD_BITS = 32;

interface Page {
  /** Dropped when every bit is set: a run of any length holds only the pages that it is filling. */
  words: Uint32Array | undefined;
  count: number;
}

/**
 * How many different whole numbers ≥ 0 came, in any order and however often each. A bit each, where a Set would take 40 bytes
 * of each of millions; ranges would take five times as long where numbers come out of order, as those of journeys at once do.
 */
export class DistinctCount {
  readonly #pages = new Map<number, Page>();
  /** The page that was asked for last: nearly always it is the same again. */
  #lastNumber = -1;
  #last: Page = { words: undefined, count: 0 };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(value: number): void {
    const number = Math.floor(value / PAGE_BITS);
    const page = this.#pageOf(number);
    const { words } = page;
    if (words === undefined) return;
    const bit = value - number * PAGE_BITS;
    const at = bit >>> 5;
    const mask = 1 << (bit & 31);
    const word = words[at] as number;
    if ((word & mask) !== 0) return;
    words[at] = word | mask;
    this.#size += 1;
    page.count += 1;
    if (page.count === PAGE_BITS) page.words = undefined;
  }

  merge(other: DistinctCount): void {
    for (const [number, { words }] of other.#pages)
      for (let bit = 0; bit < PAGE_BITS; bit++)
        if (words === undefined || ((words[bit >>> 5] as number) & (1 << (bit & 31))) !== 0)
          this.add(number * PAGE_BITS + bit);
  }

  #pageOf(number: number): Page {
    if (number === this.#lastNumber) return this.#last;
    const page = this.#pages.get(number) ?? { words: new Uint32Array(PAGE_BITS / WORD_BITS), count: 0 };
    this.#pages.set(number, page);
    this.#lastNumber = number;
    this.#last = page;
    return page;
  }
}
