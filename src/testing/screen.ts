/**
 * A terminal's screen. Implements the part of ECMA-48 that redrawn lines need: carriage return, line feed, cursor up, down and to a
 * column, erasing lines and the screen below. Lines that scroll out at the top are kept separately.
 */
export class Screen {
  readonly #columns: number;
  readonly #rows: number;
  #lines: string[] = [''];
  #row = 0;
  #column = 0;
  readonly scrolledOut: string[] = [];
  /** Number of cursor moves that hit the edge of the screen, because the output is higher than the screen. */
  cutMoves = 0;
  /** Number of lines that were longer than the screen is wide. */
  overflows = 0;

  constructor(columns: number, rows: number) {
    this.#columns = columns;
    this.#rows = rows;
  }

  get lines(): readonly string[] {
    return this.#lines.map((line) => line.trimEnd());
  }

  write(output: string): void {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what this is about
    for (const [token, sequence] of output.matchAll(/\u001b\[([\d;?]*[A-Za-z])|\r|\n|[^\u001b\r\n]+|\u001b/g)) {
      if (sequence !== undefined) this.#obey(sequence);
      else if (token === '\r') this.#column = 0;
      else if (token === '\n') this.#down();
      else if (token !== '\u001b') this.#print(token);
    }
  }

  #print(text: string): void {
    for (const character of text) {
      if (this.#column >= this.#columns) {
        this.overflows += 1;
        this.#column = 0;
        this.#down();
      }
      const line = (this.#lines[this.#row] ?? '').padEnd(this.#column);
      this.#lines[this.#row] = line.slice(0, this.#column) + character + line.slice(this.#column + 1);
      this.#column += 1;
    }
  }

  #down(): void {
    this.#row += 1;
    if (this.#row >= this.#rows) {
      this.scrolledOut.push(this.#lines.shift() ?? '');
      this.#row = this.#rows - 1;
    }
    this.#lines[this.#row] ??= '';
  }

  #obey(sequence: string): void {
    const count = Number.parseInt(sequence, 10) || 1;
    switch (sequence.at(-1)) {
      case 'A':
        if (this.#row < count) this.cutMoves += 1;
        this.#row = Math.max(0, this.#row - count);
        break;
      case 'B':
        this.#row = Math.min(this.#rows - 1, this.#row + count);
        break;
      case 'G':
        this.#column = count - 1;
        break;
      case 'K':
        this.#lines[this.#row] = sequence.startsWith('2') ? '' : (this.#lines[this.#row] ?? '').slice(0, this.#column);
        break;
      case 'J':
        this.#lines = this.#lines.slice(0, this.#row + 1);
        this.#lines[this.#row] = (this.#lines[this.#row] ?? '').slice(0, this.#column);
        break;
      default:
    }
  }
}
