import { bytesOf, isOfTokens, runsOfTokens, type View } from '../../client/index.ts';

/** Length of the indexed blocks, in characters. A part of a token with at least 2 × BLOCK − 1 characters contains a whole block. */
const BLOCK = 8;

/**
 * When the newer generation has this many characters, the older one is dropped. So at least the last 12,500 tokens of 40
 * characters are kept, or the last 500 of 1,000.
 */
const MOST_CHARACTERS = 500_000;

/** Only this many characters of a token are indexed, so that a service cannot determine the cost. */
const LONGEST = 16_384;

/** One of two generations of tokens, in the order of their arrival. */
interface Generation {
  readonly tokens: string[];
  characters: number;
  /** The token that contains a block; keys are in lower case. If several tokens contain it, the last one. */
  readonly byBlock: Map<string, string>;
  /** How many of the tokens are in `byBlock`. */
  indexed: number;
  /** Whether all indexed tokens consist of the characters that tokens normally have. */
  areOfTokens: boolean;
}

const generation = (): Generation => ({
  tokens: [],
  characters: 0,
  byBlock: new Map(),
  indexed: 0,
  areOfTokens: true,
});

/**
 * The most recent tokens of a run, to find them in answers of the service: the last 500,000 to 1,000,000 characters. Older tokens
 * are dropped, so that memory stays bounded. `add` is cheap: a token is indexed at the first search after it.
 *
 * A token is found plain or escaped (`viewsOf`), in any case, as a whole or in part (at least 15 characters). Tokens of fewer than
 * 8 characters and tokens of other workers are not found.
 */
export class GivenTokens {
  #current = generation();
  #before = generation();

  add(token: string): void {
    if (this.#current.characters >= MOST_CHARACTERS) {
      this.#before = this.#current;
      this.#current = generation();
    }
    this.#current.tokens.push(token);
    this.#current.characters += Math.min(token.length, LONGEST);
  }

  /** Tokens of which a text may contain a part. @param views the text, decoded in every possible way */
  maybeIn(views: readonly View[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (const { byBlock, areOfTokens } of [indexed(this.#before), indexed(this.#current)]) {
      if (byBlock.size === 0) continue;
      for (const view of views)
        for (const run of areOfTokens ? runsOfTokens(view).values() : [view.bytes])
          for (let at = 0; at + BLOCK <= run.length; at++) {
            const token = byBlock.get(run.slice(at, at + BLOCK));
            if (token !== undefined) found.add(token);
          }
    }
    return found;
  }
}

function indexed(one: Generation): Generation {
  for (; one.indexed < one.tokens.length; one.indexed++) {
    const token = one.tokens[one.indexed] ?? '';
    const searched = bytesOf(token.slice(0, LONGEST));
    one.areOfTokens &&= isOfTokens(searched);
    for (let at = 0; at + BLOCK <= searched.length; at += BLOCK) one.byBlock.set(searched.slice(at, at + BLOCK), token);
    // The last characters may be the only ones that differ between tokens, for example if tokens are numbered.
    if (searched.length > BLOCK) one.byBlock.set(searched.slice(-BLOCK), token);
  }
  return one;
}
