import type { Within } from '../http/answer.ts';
import { ByteStore } from '../http/byte-store.ts';
import { ChunkReader } from './chunks.ts';
import { type AnswerHead, HeadReader, mayBeStatusLine } from './head.ts';
import type { HeadMemory } from './head-memory.ts';
import { LineReader } from './line-reader.ts';

/** `done`: the answer is complete. `more`: bytes are missing. Otherwise a failure code: the answer is rejected. */
export type Progress = 'more' | 'done' | 'protocol' | 'headers-too-large' | 'answer-too-large';

/** The limit of Node's and undici's own parsers; here also of all interim heads together, which else could come without end. */
const MOST_HEAD_BYTES = 16 * 1_024;

/**
 * Reads one answer of HTTP/1.x from bytes in pieces of any size. Strict where a lenient parser could be led to see another
 * message (a length together with a coding, two lengths, folded lines, bare LF): such an answer is rejected, never guessed at.
 * Everything that it stores is bounded. It knows no socket and no time.
 */
export class AnswerParser {
  /** Head of the final answer, once it is complete. */
  head: AnswerHead | undefined;
  readonly #maxBodyBytes: number;
  readonly #lines = new LineReader(MOST_HEAD_BYTES);
  readonly #heads = new HeadReader();
  readonly #chunks = new ChunkReader(new LineReader(MOST_HEAD_BYTES));
  #memory: HeadMemory | undefined;
  #at = 0;
  readonly #body = new ByteStore();
  /** The whole body within the bytes being read, if it needs no copy. */
  #within: Within | undefined;

  constructor(maxBodyBytes: number) {
    this.#maxBodyBytes = maxBodyBytes;
  }

  /**
   * Begins the next answer.
   * @param memory heads seen in answer to the same kind of request
   */
  begin(memory: HeadMemory): void {
    this.head = undefined;
    this.#memory = memory;
    this.#lines.restart();
    this.#body.clear();
    this.#within = undefined;
  }

  /** @param bytes read up to `length`; the caller may reuse them after `body()` was taken */
  read(bytes: Buffer, length: number): Progress {
    this.#at = 0;
    if (this.head === undefined) {
      const progress = this.#readHeads(bytes, length);
      if (progress !== 'done') return progress;
    }
    return this.#readBody(bytes, length);
  }

  /** How many of the bytes last read belong to the answer. */
  get taken(): number {
    return this.#at;
  }

  /** The other side sends no more. @returns whether that completes the answer */
  end(): boolean {
    return this.head?.framing.kind === 'until-close';
  }

  /** The body of a complete answer; valid until the bytes last read are reused. */
  body(): Within {
    return this.#within ?? { bytes: this.#body.bytes(), from: 0, to: this.#body.length };
  }

  /** Interim answers (1xx) are skipped; but 101 would switch to a protocol that nobody requested. */
  #readHeads(bytes: Buffer, length: number): Progress {
    const remembered = this.#isBetweenHeads ? this.#memory : undefined;
    const known = remembered?.find(bytes, length);
    if (known) {
      this.#at = known.length;
      return this.#begun(known.head);
    }
    for (;;) {
      const begin = this.#isBetweenHeads ? this.#at : undefined;
      const head = this.#readHead(bytes, length);
      if (typeof head === 'string') return head;
      if (head.status === 101) return 'protocol';
      if (head.status >= 200) {
        if (begin !== undefined) this.#memory?.keep(bytes, begin, this.#at, head);
        return this.#begun(head);
      }
    }
  }

  #begun(head: AnswerHead): Progress {
    this.head = head;
    this.#chunks.restart();
    const isTooLarge = head.framing.kind === 'length' && head.framing.length > this.#maxBodyBytes;
    return isTooLarge ? 'answer-too-large' : 'done';
  }

  #readHead(bytes: Buffer, length: number): AnswerHead | Progress {
    for (;;) {
      const line = this.#lines.next(bytes, this.#at, length);
      this.#at = this.#lines.at;
      if (line === 'too-long') return 'headers-too-large';
      if (line === 'bad') return 'protocol';
      if (line === 'more') return this.#isGarbage() ? 'protocol' : 'more';
      const isEnd = line.from === line.to && !this.#heads.isEmpty;
      if (isEnd) return this.#heads.finish() ?? 'protocol';
      if (!this.#heads.take(line.bytes, line.from, line.to)) return 'protocol';
    }
  }

  get #isBetweenHeads(): boolean {
    return this.#heads.isEmpty && !this.#lines.isPartial;
  }

  #isGarbage(): boolean {
    const partial = this.#lines.partial;
    return this.#heads.isEmpty && partial !== undefined && !mayBeStatusLine(partial.bytes, partial.from, partial.to);
  }

  #readBody(bytes: Buffer, length: number): Progress {
    const framing = this.head?.framing;
    if (framing?.kind === 'none') return 'done';
    if (framing?.kind === 'chunked') return this.#readChunks(bytes, length);
    if (framing?.kind !== 'length') return this.#keep(bytes, this.#at, length);
    const end = Math.min(length, this.#at + framing.length - this.#body.length);
    if (end - this.#at === framing.length) {
      this.#within = { bytes, from: this.#at, to: end };
      this.#at = end;
      return 'done';
    }
    const kept = this.#keep(bytes, this.#at, end);
    return this.#body.length === framing.length ? 'done' : kept;
  }

  #readChunks(bytes: Buffer, length: number): Progress {
    let kept: Progress = 'more';
    const progress = this.#chunks.read(bytes, this.#at, length, (from, to) => {
      if (kept === 'more') kept = this.#keep(bytes, from, to);
    });
    this.#at = this.#chunks.at;
    if (kept !== 'more') return kept;
    if (progress === 'bad') return 'protocol';
    if (this.#body.length + this.#chunks.left > this.#maxBodyBytes) return 'answer-too-large';
    return progress === 'too-long' ? 'headers-too-large' : progress;
  }

  /** Copies a piece of the body, because the socket's bytes will be reused. */
  #keep(bytes: Buffer, from: number, to: number): Progress {
    this.#at = to;
    if (this.#body.length + to - from > this.#maxBodyBytes) return 'answer-too-large';
    this.#body.append(bytes, from, to);
    return 'more';
  }
}
