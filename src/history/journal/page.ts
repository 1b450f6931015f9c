/** Size of a page; a longer line gets its own page. */
export const PAGE_BYTES = 256 * 1_024;
const NEWLINE = 0x0a;

/** A buffer of consecutive lines that are to be written to disk. */
export interface Page {
  readonly bytes: Buffer;
  used: number;
  lines: number;
  /** Offset of the page in the journal. */
  at: number;
  /** Number of its bytes that were passed to the operating system. */
  written: number;
}

export const emptyPage = (size: number): Page => ({
  bytes: Buffer.allocUnsafeSlow(size),
  used: 0,
  lines: 0,
  at: 0,
  written: 0,
});

/** The complete lines of a page that were written. */
interface Through {
  /** Offset in the journal at which the last complete line ends. */
  readonly end: number;
  readonly lines: number;
}

export const NOTHING_THROUGH: Through = { end: 0, lines: 0 };

export function throughOf({ bytes, at, written }: Page): Through {
  const through = bytes.subarray(0, written);
  return { end: at + through.lastIndexOf(NEWLINE) + 1, lines: countLines(through) };
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
