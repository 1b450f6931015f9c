/** Size of a page; a longer line gets its own page. */
export const PAGE_BYTES = 256 * 1_024;
const NEWLINE = 0x0a;

/** Lines side by side, on their way to the disk. */
export interface Page {
  readonly bytes: Buffer;
  used: number;
  lines: number;
  /** The page's place in the journal. */
  at: number;
  /** How many of its bytes were passed to the operating system. */
  written: number;
}

export const emptyPage = (size: number): Page => ({
  bytes: Buffer.allocUnsafeSlow(size),
  used: 0,
  lines: 0,
  at: 0,
  written: 0,
});

/** What part of a page was written, as far as it is whole lines. */
interface Through {
  /** Where in the journal the last whole line ends. */
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
