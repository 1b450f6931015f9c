type Numbers = Float64Array | Uint32Array | Uint8Array;

/** Rows that a column has room for at first: most histories are small, and many are judged in a row. */
const FEW = 64;

/** A growing column of numbers: eight bytes and no object per row. */
export class Column<T extends Numbers> {
  readonly #make: (length: number) => T;
  #values: T;
  #size = 0;

  constructor(make: (length: number) => T) {
    this.#make = make;
    this.#values = make(FEW);
  }

  get size(): number {
    return this.#size;
  }

  push(value: number): void {
    if (this.#size === this.#values.length) {
      const larger = this.#make(this.#size * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#size] = value;
    this.#size += 1;
  }

  /** The rows so far; not a copy. */
  values(): T {
    return this.#values.subarray(0, this.#size) as T;
  }
}

export const floats = () => new Column((length) => new Float64Array(length));
export const words = () => new Column((length) => new Uint32Array(length));
export const bytes = () => new Column((length) => new Uint8Array(length));

/** Numbers names from 1; 0 is absence. */
export class Names<K extends string | number> {
  readonly #numbers = new Map<K, number>();
  readonly #names: K[] = [];

  /** How many names there are. */
  get size(): number {
    return this.#names.length;
  }

  of(name: K): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#names.push(name);
    this.#numbers.set(name, this.#names.length);
    return this.#names.length;
  }

  has(name: K): boolean {
    return this.#numbers.has(name);
  }

  name(number: number): K | undefined {
    return this.#names[number - 1];
  }
}

/** A number that stands for a pair of numbers below 2^26. */
export const pair = (a: number, b: number): number => a * 67_108_864 + b;

const PAGE_BITS = 15;

/** Which (worker, seq) have been seen: a bit each, because a million of them are checked for duplicates. */
export class SeenSequences {
  readonly #pages = new Map<number, Uint32Array>();

  /** @returns false when it was there already */
  add(worker: number, seq: number): boolean {
    const key = worker * 2 ** 40 + Math.floor(seq / 2 ** PAGE_BITS);
    let page = this.#pages.get(key);
    if (!page) {
      page = new Uint32Array(2 ** PAGE_BITS / 32);
      this.#pages.set(key, page);
    }
    const bit = seq % 2 ** PAGE_BITS;
    const mask = 1 << (bit & 31);
    const word = page[bit >> 5] as number;
    page[bit >> 5] = word | mask;
    return (word & mask) === 0;
  }

  has(worker: number, seq: number): boolean {
    const page = this.#pages.get(worker * 2 ** 40 + Math.floor(seq / 2 ** PAGE_BITS));
    const bit = seq % 2 ** PAGE_BITS;
    return page !== undefined && ((page[bit >> 5] as number) & (1 << (bit & 31))) !== 0;
  }
}
