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

/**
 * Rules out nearly all blocks that a text does not contain, in a time that does not depend on its length: the forms of a hundred
 * clients' credentials are 90 kB, and answers have dozens of blocks.
 */
class BlockFilter {
  /** A bit for each hash, at least 8 for each byte of the text. */
  readonly #bits: Uint8Array;

  constructor(text: string) {
    this.#bits = new Uint8Array(2 ** Math.ceil(Math.log2(text.length + 1)));
    for (let at = 0; at + BLOCK <= text.length; at++) {
      const hash = hashOfBlock(text, at);
      this.#bits[this.#placeOf(hash)] = this.#byteOf(hash) | (1 << (hash & 7));
    }
  }

  /** @returns false if the text does not contain the block that begins there */
  mayHold(bytes: string, at: number): boolean {
    const hash = hashOfBlock(bytes, at);
    return ((this.#byteOf(hash) >> (hash & 7)) & 1) === 1;
  }

  #placeOf(hash: number): number {
    return (hash >>> 3) & (this.#bits.length - 1);
  }

  #byteOf(hash: number): number {
    return this.#bits[this.#placeOf(hash)] as number;
  }
}

/** FNV-1a, with its high bits in the low ones, too. */
function hashOfBlock(text: string, at: number): number {
  let hash = 0x811c9dc5;
  for (let i = at; i < at + BLOCK; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Finds 16 consecutive bytes that a text has in common with any of the given texts. */
export class SharedRuns {
  readonly #searched: string;
  readonly #filter: BlockFilter;
  readonly #areOfTokens: boolean;

  /** @param texts bytes whose runs are searched for, as in views */
  constructor(texts: readonly string[]) {
    const long = texts.filter(({ length }) => length >= SHORTEST_RUN);
    this.#areOfTokens = long.every(isOfTokens);
    // A run across two texts would need a line break.
    this.#searched = [...new Set(long)].join('\n');
    this.#filter = new BlockFilter(this.#searched);
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
      if (!this.#filter.mayHold(bytes, at) || !this.#searched.includes(bytes.slice(at, at + BLOCK))) continue;
      const last = Math.min(at, behind - SHORTEST_RUN);
      for (let from = Math.max(first, at - STEP + 1); from <= last; from++)
        if (this.#searched.includes(bytes.slice(from, from + SHORTEST_RUN))) yield from;
    }
  }
}
