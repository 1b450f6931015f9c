import type { AnswerHead } from './head.ts';

/**
 * Remembers the last head that came in answer to one operation. Answers of one operation mostly differ in their body alone,
 * so the same bytes need not be taken apart a hundred thousand times a second: equal bytes are an equal head.
 */
export class HeadMemory {
  #bytes = Buffer.alloc(0);
  #head: AnswerHead | undefined;

  /** The head that these bytes begin with, if it is the one remembered. */
  find(bytes: Buffer, length: number): { readonly head: AnswerHead; readonly length: number } | undefined {
    const size = this.#bytes.length;
    if (this.#head === undefined || length < size) return undefined;
    return bytes.compare(this.#bytes, 0, size, 0, size) === 0 ? { head: this.#head, length: size } : undefined;
  }

  /** Keeps a whole head, its empty line included. */
  keep(bytes: Buffer, from: number, to: number, head: AnswerHead): void {
    this.#bytes = Buffer.from(bytes.subarray(from, to));
    this.#head = head;
  }
}
