import { rememberedOf } from '../base/index.ts';
import type { View } from './echo-views.ts';

/** Shorter runs may be in common by chance, as the beginnings of identifiers of one millisecond are (RFC 9562 section 5.7). */
export const SHORTEST_RUN = 16;

/** Of every run, one block that begins at a multiple of the step lies whole in it: only those are looked for at first. */
const BLOCK = 8;
const STEP = SHORTEST_RUN - BLOCK + 1;

/** What tokens, hexadecimal digits and base64 are made of (RFC 6750 section 2.1), in lower case. */
const OF_TOKENS = /^[a-z0-9._~+/=-]*$/;
const RUN_OF_TOKENS = /(?<![a-z0-9._~+/=-])[a-z0-9._~+/=-]{8,}/g;

/** Whether something is made of what tokens should be; in a text it can be only where that has such a run. */
export const isOfTokens = (bytes: string): boolean => OF_TOKENS.test(bytes);

/** The runs of a text that could be of a token, from 8 bytes on, by where they begin; several ask for them in turn. */
export const runsOfTokens: (view: View) => ReadonlyMap<number, string> = rememberedOf(
  ({ bytes }) => new Map([...bytes.matchAll(RUN_OF_TOKENS)].map(({ 0: run, index }) => [index, run])),
);

/** Finds which 16 bytes in a row a text has in common with any of some others. */
export class SharedRuns {
  readonly #searched: string;
  readonly #areOfTokens: boolean;

  /** @param texts bytes of which runs are looked for, as in views */
  constructor(texts: readonly string[]) {
    const long = texts.filter(({ length }) => length >= SHORTEST_RUN);
    this.#areOfTokens = long.every(isOfTokens);
    // A run that goes from one into the next needs a line break of its own.
    this.#searched = [...new Set(long)].join('\n');
  }

  isIn(view: View): boolean {
    for (const _ of this.in(view)) return true;
    return false;
  }

  /** Where every one of them begins, in order. */
  *in(view: View): Generator<number> {
    const { bytes } = view;
    if (this.#searched === '' || bytes.length < SHORTEST_RUN) return;
    if (!this.#areOfTokens) return yield* this.#between(bytes, 0, bytes.length);
    for (const [first, { length }] of runsOfTokens(view))
      if (length >= SHORTEST_RUN) yield* this.#between(bytes, first, first + length);
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
