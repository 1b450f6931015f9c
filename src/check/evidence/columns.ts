type NumberArray = Float64Array | Uint32Array | Uint8Array;

/**
 * Initial capacity of a column or register, in rows: most histories are small, and many are judged in succession. Arrays of up to
 * 64 bytes take a tenth of the time.
 */
const FEW = 16;

/** A growing column of numbers: eight bytes and no object per row. */
class Column<T extends NumberArray> {
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

  at(row: number): number {
    return this.#values[row] as number;
  }

  /** The rows so far; a view, not a copy. */
  values(): T {
    return this.#values.subarray(0, this.#size) as T;
  }
}

export const floats = () => new Column((length) => new Float64Array(length));
export const words = () => new Column((length) => new Uint32Array(length));
export const bytes = () => new Column((length) => new Uint8Array(length));

/** An array of `size` numbers, each computed from its index. Takes a tenth of the time of `from` with a function. */
export function floatsOf(size: number, valueAt: (index: number) => number): Float64Array {
  const values = new Float64Array(size);
  for (let i = 0; i < size; i++) values[i] = valueAt(i);
  return values;
}

/** The values whose index is wanted. `filter` would keep each number as an object meanwhile, a million at a time. */
export function floatsWhere(values: Float64Array, isWanted: (index: number) => boolean): Float64Array {
  const kept = new Float64Array(values.length);
  let size = 0;
  for (let i = 0; i < values.length; i++) if (isWanted(i)) kept[size++] = values[i] as number;
  return kept.subarray(0, size);
}

/** Like `floatsWhere`, but the predicate gets the value itself. */
export function wordsThat(values: Uint32Array, isWanted: (value: number) => boolean): Uint32Array {
  const kept = new Uint32Array(values.length);
  let size = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (isWanted(value)) kept[size++] = value;
  }
  return kept.subarray(0, size);
}

/** Like `floatsOf`, for small whole numbers. */
export function bytesOf(size: number, valueAt: (index: number) => number): Uint8Array {
  const values = new Uint8Array(size);
  for (let i = 0; i < size; i++) values[i] = valueAt(i);
  return values;
}

/** A column that can be written at any index; unwritten entries have the initial value. */
class Register<T extends NumberArray> {
  readonly #make: (length: number) => T;
  readonly #absent: number;
  #values: T;

  constructor(make: (length: number) => T, absent: number) {
    this.#make = make;
    this.#absent = absent;
    this.#values = make(FEW).fill(absent) as T;
  }

  get(index: number): number {
    return index < this.#values.length ? (this.#values[index] as number) : this.#absent;
  }

  set(index: number, value: number): void {
    if (index >= this.#values.length) {
      const larger = this.#make(Math.max(index + 1, this.#values.length * 2)).fill(this.#absent) as T;
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[index] = value;
  }
}

export const floatRegister = (absent: number) => new Register((length) => new Float64Array(length), absent);
/** A register of row numbers from 1; 0 is none. */
export const rowRegister = () => new Register((length) => new Uint32Array(length), 0);

/** Assigns numbers from 1 to names; 0 means no name. */
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

  /** 0 if the name has no number. */
  find(name: K): number {
    return this.#numbers.get(name) ?? 0;
  }

  name(number: number): K | undefined {
    return this.#names[number - 1];
  }
}

const PAGE_BITS = 15;
/** Enough for some 134 million consecutive numbers. Numbers beyond are too sparse for pages of four kilobytes and are kept as texts. */
const MOST_PAGES = 4_096;

/** Which (worker, seq) were seen, one bit each: a million of them are checked for duplicates. */
export class SeenSequences {
  readonly #pages = new Map<number, Uint32Array>();
  /** Numbers for which no page was left; only a damaged history has any. */
  readonly #scattered = new Set<string>();
  /** The page used last: nearly always it is the next one, too. */
  #lastKey = -1;
  #lastPage: Uint32Array | undefined;

  /** @returns false if it was already there */
  add(worker: number, seq: number): boolean {
    const page = this.#pageOf(pageKey(worker, seq));
    if (!page) return this.#scatter(`${worker}:${seq}`);
    const bit = seq % 2 ** PAGE_BITS;
    const mask = 1 << (bit & 31);
    const word = page[bit >> 5] as number;
    page[bit >> 5] = word | mask;
    return (word & mask) === 0;
  }

  has(worker: number, seq: number): boolean {
    const key = pageKey(worker, seq);
    const page = key === this.#lastKey ? this.#lastPage : this.#pages.get(key);
    if (!page) return this.#scattered.has(`${worker}:${seq}`);
    const bit = seq % 2 ** PAGE_BITS;
    return ((page[bit >> 5] as number) & (1 << (bit & 31))) !== 0;
  }

  #pageOf(key: number): Uint32Array | undefined {
    if (key === this.#lastKey) return this.#lastPage;
    const known = this.#pages.get(key);
    if (!known && this.#pages.size >= MOST_PAGES) return undefined;
    const page = known ?? new Uint32Array(2 ** PAGE_BITS / 32);
    if (!known) this.#pages.set(key, page);
    this.#lastKey = key;
    this.#lastPage = page;
    return page;
  }

  #scatter(text: string): boolean {
    const before = this.#scattered.size;
    return this.#scattered.add(text).size > before;
  }
}

const pageKey = (worker: number, seq: number) => worker * 2 ** 40 + Math.floor(seq / 2 ** PAGE_BITS);
