const [LF, CR] = [0x0a, 0x0d];

/** A line without its end. The bytes are valid until the next call. */
export interface Line {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds lines in bytes that come in pieces. Only CR LF ends a line (RFC 9112 section 2.2 allows a bare LF, but parsers that
 * accept it see another message than those that do not). All lines up to a restart share a limit, so memory is bounded.
 */
export class LineReader {
  readonly #limit: number;
  /** The beginning of an incomplete line. */
  #partial: Buffer | undefined;
  #partialLength = 0;
  #taken = 0;
  readonly #line: { bytes: Buffer; from: number; to: number } = { bytes: Buffer.alloc(0), from: 0, to: 0 };
  /** Where reading stopped. */
  at = 0;

  /** @param limit most bytes of all lines together, until `restart` */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isPartial(): boolean {
    return this.#partialLength > 0;
  }

  /** The bytes of an incomplete line, to examine its beginning. */
  get partial(): Line | undefined {
    return this.#partial && this.#partialLength > 0
      ? { bytes: this.#partial, from: 0, to: this.#partialLength }
      : undefined;
  }

  /** Another answer, or chunk, begins. */
  restart(): void {
    this.#partialLength = 0;
    this.#taken = 0;
  }

  /** @returns a line; 'more' if its end has not arrived; or what is wrong with it */
  next(bytes: Buffer, from: number, to: number): Line | 'more' | 'bad' | 'too-long' {
    let end = from;
    while (end < to && bytes[end] !== LF) end++;
    const isWhole = end < to;
    this.at = isWhole ? end + 1 : to;
    this.#taken += this.at - from;
    if (this.#taken > this.#limit) return 'too-long';
    if (isWhole && this.#partialLength === 0) return this.#found(bytes, from, end);
    this.#partial ??= Buffer.allocUnsafe(this.#limit);
    bytes.copy(this.#partial, this.#partialLength, from, this.at);
    this.#partialLength += this.at - from;
    if (!isWhole) return 'more';
    const length = this.#partialLength;
    this.#partialLength = 0;
    return this.#found(this.#partial, 0, length - 1);
  }

  #found(bytes: Buffer, from: number, lf: number): Line | 'bad' {
    if (lf === from || bytes[lf - 1] !== CR) return 'bad';
    this.#line.bytes = bytes;
    this.#line.from = from;
    this.#line.to = lf - 1;
    return this.#line;
  }
}
