import { isAscii } from 'node:buffer';

/** A line of a file, without its newline; or the news that there was one too long to keep. No object for each: there are millions. */
export type Line = string | TooLong;

export interface TooLong {
  readonly bytes: number;
}

const NEWLINE = 0x0a;

/**
 * Splits bytes into lines with memory bounded by the longest allowed line: of a longer one nothing is kept but its length.
 * Bytes are decoded from one newline to another, never in between, so that no character is torn between two chunks; many
 * lines at a time, because decoding each by itself costs as much as parsing it.
 */
export class LineSplitter {
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The lines that end in this chunk. Its memory may be used again afterwards. */
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

  /** What stands after the last newline; `undefined` when nothing does. */
  rest(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#take();
  }

  #linesOf(bytes: Uint8Array): readonly Line[] {
    const lines = textOf(bytes).split('\n');
    // No line is longer than all of them together, so that mostly none needs measuring.
    if (bytes.length <= this.#maxBytes) return lines;
    return lines.map((text) => {
      const size = Buffer.byteLength(text);
      return size > this.#maxBytes ? { bytes: size } : text;
    });
  }

  /** Copied: a reader may use its chunk's memory again. */
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

/** Bytes that are all ASCII mean the same in both encodings, and latin1 is copied, not decoded. */
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(isAscii(bytes) ? 'latin1' : 'utf8');
