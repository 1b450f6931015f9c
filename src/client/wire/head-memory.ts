import { KnownBytes } from '../http/known-bytes.ts';
import type { AnswerHead } from './head.ts';

/** A head and its bytes. */
interface KnownHead {
  readonly head: AnswerHead;
  readonly bytes: KnownBytes;
  readonly length: number;
}

/** Heads of one operation differ by status and body length; the date in them makes all of them outdated every second. */
const MOST_HEADS = 4;

/**
 * Remembers the last heads of answers to one operation. Such answers mostly differ only in their body, so equal bytes need not be
 * parsed a hundred thousand times a second: equal bytes are an equal head.
 */
export class HeadMemory {
  readonly #known: KnownHead[] = [];

  /** The remembered head with which these bytes begin, if any. */
  find(bytes: Buffer, length: number): Pick<KnownHead, 'head' | 'length'> | undefined {
    for (const known of this.#known) if (known.length <= length && known.bytes.areAt(bytes, 0)) return known;
    return undefined;
  }

  /** Remembers a whole head, including its empty line. */
  keep(bytes: Buffer, from: number, to: number, head: AnswerHead): void {
    this.#known.unshift({ head, bytes: new KnownBytes(bytes.subarray(from, to)), length: to - from });
    if (this.#known.length > MOST_HEADS) this.#known.pop();
  }
}
