import { readField } from './field-line.ts';
import type { Line, LineReader } from './line-reader.ts';

const MOST_SIZE_DIGITS = 12;
/** Chunk extensions `;name=value`, which nobody requested (RFC 9112 section 7.1.1); without the spaces that could be misread. */
const EXTENSIONS =
  /^(?:;[\w!#$%&'*+.^`|~-]+(?:=(?:[\w!#$%&'*+.^`|~-]+|"(?:[\t !#-[\]-~\x80-\xff]|\\[\t -~\x80-\xff])*"))?)+$/;

/**
 * Decodes the chunked coding (RFC 9112 section 7.1). Strict: no sign, no space before the size, CR LF after each chunk; trailers
 * must be fields and are ignored.
 */
export class ChunkReader {
  readonly #lines: LineReader;
  #state: 'size' | 'data' | 'data-end' | 'trailers' = 'size';
  #left = 0;
  /** Where reading stopped. */
  at = 0;

  constructor(lines: LineReader) {
    this.#lines = lines;
  }

  /** Bytes of the current chunk that are announced and have not arrived. */
  get left(): number {
    return this.#left;
  }

  restart(): void {
    this.#state = 'size';
    this.#left = 0;
    this.#lines.restart();
  }

  /** @param onData called with the position of data in these bytes @returns 'done' after the last chunk and its trailers */
  read(
    bytes: Buffer,
    from: number,
    to: number,
    onData: (from: number, to: number) => void,
  ): 'more' | 'done' | 'bad' | 'too-long' {
    this.at = from;
    while (this.at < to) {
      if (this.#state === 'data') {
        const end = Math.min(to, this.at + this.#left);
        onData(this.at, end);
        this.#left -= end - this.at;
        this.at = end;
        if (this.#left === 0) this.#state = 'data-end';
        continue;
      }
      const line = this.#lines.next(bytes, this.at, to);
      this.at = this.#lines.at;
      if (typeof line === 'string') return line === 'more' && this.#cannotEnd() ? 'bad' : line;
      const taken = this.#take(line);
      if (taken !== 'more') return taken;
    }
    return 'more';
  }

  /** Only CR LF may stand between a chunk's data and the next size: anything else is detected at its first byte. */
  #cannotEnd(): boolean {
    const partial = this.#lines.partial;
    if (this.#state === 'trailers' || partial === undefined) return false;
    if (this.#state === 'data-end') return partial.to > 1 || partial.bytes[0] !== 0x0d;
    return hexDigit(partial.bytes[0] ?? 0) < 0;
  }

  #take({ bytes, from, to }: Line): 'more' | 'done' | 'bad' {
    if (this.#state === 'data-end') {
      if (to !== from) return 'bad';
      this.#state = 'size';
      this.#lines.restart();
      return 'more';
    }
    if (this.#state === 'trailers') {
      if (to === from) return 'done';
      return readField(bytes, from, to) === undefined ? 'bad' : 'more';
    }
    const size = sizeOf(bytes, from, to);
    if (size === undefined) return 'bad';
    this.#left = size;
    this.#state = size === 0 ? 'trailers' : 'data';
    return 'more';
  }
}

function sizeOf(bytes: Buffer, from: number, to: number): number | undefined {
  let size = 0;
  let at = from;
  for (; at < to; at++) {
    const digit = hexDigit(bytes[at] ?? 0);
    if (digit < 0) break;
    size = size * 16 + digit;
  }
  if (at === from || at - from > MOST_SIZE_DIGITS) return undefined;
  if (at < to && !EXTENSIONS.test(bytes.toString('latin1', at, to))) return undefined;
  return size;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
