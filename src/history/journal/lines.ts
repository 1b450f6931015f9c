import { isAscii } from 'node:buffer';

/** A line of a file, without its newline; or a notice that it was too long to keep. Not an object per line: there are millions. */
export type Line = string | TooLong;

export interface TooLong {
  readonly bytes: number;
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines; memory is bounded by the longest allowed line, and of a longer one only the length is kept. Bytes are
 * decoded from one newline to another, never in between, so that no character is split between two chunks; and many lines at a
 * time, because decoding each separately costs as much as parsing it.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk. The chunk's memory may be reused afterwards. */
  push(chunk: Uint8Array): readonly Line[] {
    const first = chunk.indexOf(NEWLINE);
    if (first < 0) {
      this.#keep(chunk);
      return [];
    }
    this.#keep(chunk.subarray(0, first));
    const begun = [this.#take()];
    const last = chunk.lastIndexOf(NEWLINE);
    const lines = last > first ? begun.concat(this.#linesOf(chunk.subarray(first + 1, last))) : begun;
    this.#keep(chunk.subarray(last + 1));
    return lines;
  }

  /** What follows the last newline; `undefined` if nothing does. */
  rest(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#take();
  }

  #linesOf(bytes: Uint8Array): readonly Line[] {
    const lines = textOf(bytes).split('\n');
    // No line is longer than all of them together, so mostly none needs measuring.
    if (bytes.length <= this.#maxBytes) return lines;
    return lines.map((text) => {
      const size = Buffer.byteLength(text);
      return size > this.#maxBytes ? { bytes: size } : text;
    });
  }

  /** Copied, because a reader may reuse its chunk's memory. */
  #keep(part: Uint8Array): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#parts = [];
    else if (part.length > 0) this.#parts.push(Uint8Array.from(part));
  }

  #take(): Line {
    const bytes = this.#bytes;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    return bytes > this.#maxBytes ? { bytes } : textOf(whole);
  }
}

/** ASCII is the same in both encodings, and latin1 is copied, not decoded. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(isAscii(bytes) ? 'latin1' : 'utf8');
