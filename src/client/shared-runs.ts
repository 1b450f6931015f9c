import { rememberedOf } from '../base/index.ts';
import type { View } from './echo-views.ts';

/** Shorter runs may be equal by chance, such as the beginnings of identifiers of the same millisecond (RFC 9562 section 5.7). */
export const SHORTEST_RUN = 16;

/** Every run contains one whole block that begins at a multiple of the step: only those are searched for at first. */
const BLOCK = 8;
const STEP = SHORTEST_RUN - BLOCK + 1;

/** Characters of tokens, hexadecimal digits and base64 (RFC 6750 section 2.1), in lower case. */
const OF_TOKENS = /^[a-z0-9._~+/=-]*$/;
const RUN_OF_TOKENS = /(?<![a-z0-9._~+/=-])[a-z0-9._~+/=-]{8,}/g;

/** Whether something consists of token characters; a text can contain it only if it has such a run. */
export const isOfTokens = (bytes: string): boolean => OF_TOKENS.test(bytes);

/** By position, the runs of a text that may belong to a token, from 8 bytes on; computed once for several callers. */
export const runsOfTokens: (view: View) => ReadonlyMap<number, string> = rememberedOf(
  ({ bytes }) => new Map([...bytes.matchAll(RUN_OF_TOKENS)].map(({ 0: run, index }) => [index, run])),
);

/** Finds 16 consecutive bytes that a text has in common with any of the given texts. */
export class SharedRuns {
  readonly #searched: string;
  /** All their pieces of that length: the forms of a hundred clients are 90 kB, too long to be searched for each block of an answer. */
  readonly #blocks: ReadonlySet<string>;
  readonly #areOfTokens: boolean;

  /** @param texts bytes whose runs are searched for, as in views */
  constructor(texts: readonly string[]) {
    const long = texts.filter(({ length }) => length >= SHORTEST_RUN);
    this.#areOfTokens = long.every(isOfTokens);
    // A run across two texts would need a line break.
    this.#searched = [...new Set(long)].join('\n');
    this.#blocks = new Set(
      Array.from({ length: this.#searched.length }, (_, at) => this.#searched.slice(at, at + BLOCK)),
    );
  }

  isIn(view: View): boolean {
    for (const _ of this.in(view)) return true;
    return false;
  }

  /** The begin of each common run, in order. */
  *in(view: View): Generator<number> {
    const { bytes } = view;
    if (this.#searched === '' || bytes.length < SHORTEST_RUN) return;
    if (!this.#areOfTokens) return yield* this.#between(bytes, 0, bytes.length);
    for (const [first, { length }] of runsOfTokens(view))
      if (length >= SHORTEST_RUN) yield* this.#between(bytes, first, first + length);
  }

  *#between(bytes: string, first: number, behind: number): Generator<number> {
    for (let at = first; at + BLOCK <= behind; at += STEP) {
      if (!this.#blocks.has(bytes.slice(at, at + BLOCK))) continue;
      const last = Math.min(at, behind - SHORTEST_RUN);
      for (let from = Math.max(first, at - STEP + 1); from <= last; from++)
        if (this.#searched.includes(bytes.slice(from, from + SHORTEST_RUN))) yield from;
    }
  }
}
