import { KnownBytes } from '../http/known-bytes.ts';
import type { AnswerHead } from './head.ts';

/** A head and the bytes that it was read from. */
interface KnownHead {
  readonly head: AnswerHead;
  readonly bytes: KnownBytes;
  readonly length: number;
}

/** Heads of one operation differ by status and length of the body; the time in them makes all of them old every second. */
const MOST_HEADS = 4;

/**
 * Remembers the last heads that came in answer to one operation. Answers of one operation mostly differ in their body alone,
 * so the same bytes need not be taken apart a hundred thousand times a second: equal bytes are an equal head.
 */
export class HeadMemory {
  readonly #known: KnownHead[] = [];

  /** The head that these bytes begin with, if it is one of those remembered. */
  find(bytes: Buffer, length: number): Pick<KnownHead, 'head' | 'length'> | undefined {
    for (const known of this.#known) if (known.length <= length && known.bytes.areAt(bytes, 0)) return known;
    return undefined;
  }

  /** Keeps a whole head, its empty line included. */
  keep(bytes: Buffer, from: number, to: number, head: AnswerHead): void {
    this.#known.unshift({ head, bytes: new KnownBytes(bytes.subarray(from, to)), length: to - from });
    if (this.#known.length > MOST_HEADS) this.#known.pop();
  }
}
