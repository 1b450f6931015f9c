/** Initial capacity: most histories are small, and many are judged in succession. Arrays of up to 64 bytes take a tenth of the time. */
const FEW = 16;

/**
 * Assigns numbers from 1 to pairs of whole numbers below 2^32, in the order in which they come. Uses open addressing over typed
 * arrays: a Map would need one number as key for the pair, which beyond 2^31 is a heap object, and would take ten times the
 * memory.
 */
export class Pairs {
  #first = new Uint32Array(FEW);
  #second = new Uint32Array(FEW);
  /** Number of the pair at each place of the table; 0 is none. The table has at least twice as many places as pairs. */
  #table = new Uint32Array(4 * FEW);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  of(first: number, second: number): number {
    const mask = this.#table.length - 1;
    for (let at = hash(first, second) & mask; ; at = (at + 1) & mask) {
      const number = this.#table[at] as number;
      if (number === 0) return this.#add(first, second, at);
      if (this.#first[number - 1] === first && this.#second[number - 1] === second) return number;
    }
  }

  first(number: number): number {
    return this.#first[number - 1] as number;
  }

  second(number: number): number {
    return this.#second[number - 1] as number;
  }

  #add(first: number, second: number, at: number): number {
    if (this.#size === this.#first.length) {
      this.#first = doubled(this.#first);
      this.#second = doubled(this.#second);
    }
    this.#first[this.#size] = first;
    this.#second[this.#size] = second;
    this.#size += 1;
    this.#table[at] = this.#size;
    if (this.#size * 2 > this.#table.length) this.#grow();
    return this.#size;
  }

  #grow(): void {
    this.#table = new Uint32Array(this.#table.length * 4);
    const mask = this.#table.length - 1;
    for (let i = 0; i < this.#size; i++) {
      let at = hash(this.#first[i] as number, this.#second[i] as number) & mask;
      while (this.#table[at] !== 0) at = (at + 1) & mask;
      this.#table[at] = i + 1;
    }
  }
}

function doubled(column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(column.length * 2);
  larger.set(column);
  return larger;
}

/** Multiplies and folds, so that neighbouring pairs do not cluster. */
function hash(first: number, second: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
