/** Beyond this size, the memory of one large answer is not kept for the next. */
const KEPT_BYTES = 64 * 1_024;
const FIRST_BYTES = 1_024;
const EMPTY = Buffer.alloc(0);

/**
 * Stores bytes that come in pieces, in one block that doubles: a body of a million tiny chunks takes at most twice its size. Keeping
 * the pieces would keep the memory of everything that was read with them, such as extensions of chunks.
 */
export class ByteStore {
  #block = EMPTY;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(bytes: Buffer, from: number, to: number): void {
    const needed = this.#length + to - from;
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#block.length * 2, FIRST_BYTES));
      this.#block.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    bytes.copy(this.#block, this.#length, from, to);
    this.#length = needed;
  }

  /** Valid until the next change. */
  bytes(): Buffer {
    return this.#block.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#block.length > KEPT_BYTES) this.#block = EMPTY;
  }
}
