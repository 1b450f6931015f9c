import { shortDigests } from '../base/index.ts';

/** So many tokens are remembered, in 1 MB: more than a service can have handed out twice within a run. */
const SETS = 2 ** 14;
const WAYS = 8;

/**
 * The first half of a cell holds the token's number in its lower 24 bits, and eight bits of the token's digest above them; the
 * second half holds 32 more bits of the digest. 0: free.
 */
const LARGEST = 2 ** 24 - 1;

/** What the workers of a run know of its tokens. The first half of the first cell counts them. */
export const tokenMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer((1 + SETS * WAYS) * BigUint64Array.BYTES_PER_ELEMENT);

/**
 * Numbers tokens from 1 on; a token that comes again has its number, whichever user and worker has it. A service that counts by
 * token counts these together. Keeps digests only, in memory that workers share without locks: where eight tokens of one
 * set are known, a ninth replaces the oldest, and that one is new if it comes again.
 *
 * Cells are searched by halves, because each cell that is read whole makes a big integer, which nearly doubled the time. While another
 * worker writes a cell, its halves may be of two tokens: so a cell that matches is read again whole, and a cell is only replaced if
 * it still is what was seen.
 */
export class TokenNumbers {
  readonly #cells: BigUint64Array;
  readonly #halves: Uint32Array;
  /** Converts between cells and halves: the cell that is read or written, and the oldest one as it was seen. */
  readonly #pair = new BigUint64Array(2);
  readonly #pairHalves = new Uint32Array(this.#pair.buffer);
  readonly #digest: ReturnType<typeof shortDigests>;
  readonly #words = new Uint32Array(2);

  /** @param key of the digests; the same for all that share the memory */
  constructor(memory: SharedArrayBuffer, key: Uint8Array) {
    this.#cells = new BigUint64Array(memory);
    this.#halves = new Uint32Array(memory);
    this.#digest = shortDigests(key, 'token');
  }

  of(token: string): number {
    this.#digest(this.#words, token);
    const word = this.#words[0] ?? 0;
    const tag = this.#words[1] ?? 0;
    const eightBits = word >>> 24;
    const from = 1 + (word % SETS) * WAYS;
    let known = this.#find(from, eightBits, tag);
    while (known === undefined) {
      const oldest = this.#oldest(from);
      const fresh = Atomics.add(this.#halves, 0, 1) + 1;
      if (fresh > LARGEST) return fresh;
      // If another worker has brought this very token since, either it is found now, or it will be in the cell that is chosen here.
      known = this.#find(from, eightBits, tag);
      if (known === undefined && this.#replace(oldest, eightBits * 2 ** 24 + fresh, tag)) return fresh;
    }
    return known;
  }

  #find(from: number, eightBits: number, tag: number): number | undefined {
    for (let at = from; at < from + WAYS; at++) {
      if (this.#halves[2 * at + 1] !== tag) continue;
      this.#pair[0] = Atomics.load(this.#cells, at);
      const first = this.#pairHalves[0] ?? 0;
      if (this.#pairHalves[1] === tag && first >>> 24 === eightBits && first !== 0) return first & LARGEST;
    }
    return undefined;
  }

  /** @returns the cell with the smallest number; what was seen in it is in the second half of `#pair` */
  #oldest(from: number): number {
    let at = from;
    let first = this.#halves[2 * from] ?? 0;
    for (let other = from + 1; other < from + WAYS; other++) {
      const half = this.#halves[2 * other] ?? 0;
      if ((half & LARGEST) >= (first & LARGEST)) continue;
      at = other;
      first = half;
    }
    this.#pairHalves[2] = first;
    this.#pairHalves[3] = this.#halves[2 * at + 1] ?? 0;
    return at;
  }

  /** @returns false if another worker has changed the cell since `#oldest` chose it */
  #replace(at: number, first: number, second: number): boolean {
    this.#pairHalves[0] = first;
    this.#pairHalves[1] = second;
    const seen = this.#pair[1] ?? 0n;
    return Atomics.compareExchange(this.#cells, at, seen, this.#pair[0] ?? 0n) === seen;
  }
}
