/** Shorter runs may be in common by chance, as the beginnings of identifiers of one millisecond are (RFC 9562 section 5.7). */
export const SHORTEST_RUN = 16;

/** Of every run, one block that begins at a multiple of the step lies whole in it: only those are looked for at first. */
const BLOCK = 8;
const STEP = SHORTEST_RUN - BLOCK + 1;

/** What tokens, hexadecimal digits and base64 are made of (RFC 6750 section 2.1), in lower case. */
const OF_TOKENS = /^[a-z0-9._~+/=-]*$/;
const RUN_OF_TOKENS = new RegExp(`[a-z0-9._~+/=-]{${SHORTEST_RUN},}`, 'g');

/** Finds which 16 bytes in a row a text has in common with any of some others. */
export class SharedRuns {
  readonly #searched: string;
  readonly #isOfTokens: boolean;

  /** @param texts bytes of which runs are looked for, as in views */
  constructor(texts: readonly string[]) {
    const long = texts.filter(({ length }) => length >= SHORTEST_RUN);
    this.#isOfTokens = long.every((text) => OF_TOKENS.test(text));
    // A run that goes from one into the next needs a line break of its own.
    this.#searched = [...new Set(long)].join('\n');
  }

  isIn(bytes: string): boolean {
    for (const _ of this.in(bytes)) return true;
    return false;
  }

  /** Where every one of them begins, in order. */
  *in(bytes: string): Generator<number> {
    if (this.#searched === '' || bytes.length < SHORTEST_RUN) return;
    if (!this.#isOfTokens) return yield* this.#between(bytes, 0, bytes.length);
    for (const { 0: run, index } of bytes.matchAll(RUN_OF_TOKENS))
      yield* this.#between(bytes, index, index + run.length);
  }

  *#between(bytes: string, first: number, behind: number): Generator<number> {
    for (let at = first; at + BLOCK <= behind; at += STEP) {
      if (!this.#searched.includes(bytes.slice(at, at + BLOCK))) continue;
      const last = Math.min(at, behind - SHORTEST_RUN);
      for (let from = Math.max(first, at - STEP + 1); from <= last; from++)
        if (this.#searched.includes(bytes.slice(from, from + SHORTEST_RUN))) yield from;
    }
  }
}
