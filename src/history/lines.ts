/** A line of a file, without its newline; or the news that there was one too long to keep. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly bytes: number };

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines with memory bounded by the longest allowed line: of a longer one nothing is kept but its length.
 * Bytes are decoded a whole line at a time, so that no character is torn between two chunks.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *push(chunk: Uint8Array): Generator<Line> {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      this.#keep(chunk.subarray(begin, end));
      yield this.#take();
      begin = end + 1;
    }
    // Copied: a reader may use its chunk's memory again.
    this.#keep(Uint8Array.from(chunk.subarray(begin)));
  }

  /** What stands after the last newline; `undefined` when nothing does. */
  rest(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#take();
  }

  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #take(): Line {
    const bytes = this.#bytes;
    const first = this.#parts[0];
    const whole = this.#parts.length === 1 && first ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    if (bytes > this.#maxBytes) return { kind: 'too-long', bytes };
    return { kind: 'line', text: Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).toString('utf8') };
  }
}
