import { digestWith } from '../base/index.ts';

/** So many tokens are remembered, in 1 MB: more than a service can have handed out twice within a run. */
const SETS = 2 ** 14;
const WAYS = 8;

/** A cell holds 40 bits of a token's digest above the token's number; 0: free. */
const NUMBER_BITS = 24n;
const LARGEST = 2n ** NUMBER_BITS - 1n;
const TAG_DIGITS = 10;

/** What the workers of a run know of its tokens. The first cell counts them. */
export const tokenMemory = (): SharedArrayBuffer =>
  new SharedArrayBuffer((1 + SETS * WAYS) * BigUint64Array.BYTES_PER_ELEMENT);

/**
 * Numbers tokens from 1 on; a token that comes again has its number, whichever user and worker has it. A service that counts by
 * token counts these together. Keeps digests only, in memory that workers share without locks: where eight tokens of one
 * set are known, a ninth replaces the oldest, and that one is new if it comes again.
 */
export class TokenNumbers {
  readonly #cells: BigUint64Array;
  readonly #key: Uint8Array;

  /** @param key of the digests; the same for all that share the memory */
  constructor(memory: SharedArrayBuffer, key: Uint8Array) {
    this.#cells = new BigUint64Array(memory);
    this.#key = key;
  }

  of(token: string): number {
    const digest = digestWith(this.#key, 'token', token);
    const tag = BigInt(`0x${digest.slice(0, TAG_DIGITS)}`);
    const first = 1 + (Number.parseInt(digest.slice(TAG_DIGITS, TAG_DIGITS + 4), 16) % SETS) * WAYS;
    let fresh: bigint | undefined;
    while (true) {
      const { known, oldest, at } = this.#look(tag, first);
      if (known !== undefined) return Number(known);
      fresh ??= Atomics.add(this.#cells, 0, 1n) + 1n;
      if (fresh > LARGEST) return Number(fresh);
      const cell = (tag << NUMBER_BITS) | fresh;
      // If another worker was faster with this cell, it may have brought this very token.
      if (Atomics.compareExchange(this.#cells, at, oldest, cell) === oldest) return Number(fresh);
    }
  }

  #look(tag: bigint, first: number): { readonly known?: bigint; readonly oldest: bigint; readonly at: number } {
    let at = first;
    let oldest = Atomics.load(this.#cells, first);
    for (let i = first; i < first + WAYS; i++) {
      const cell = i === first ? oldest : Atomics.load(this.#cells, i);
      if (cell !== 0n && cell >> NUMBER_BITS === tag) return { known: cell & LARGEST, oldest: cell, at: i };
      if ((cell & LARGEST) < (oldest & LARGEST)) [at, oldest] = [i, cell];
    }
    return { oldest, at };
  }
}
