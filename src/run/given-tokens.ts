import { bytesOf, isOfTokens, runsOfTokens, type View } from '../client/index.ts';

/** Longer parts of a token than twice this, less one, hold one of its blocks whole, wherever they begin. */
const BLOCK = 8;

/** Tokens are forgotten by halves of so many characters: the last 12,500 of 40 characters are known, or 500 of a thousand. */
const MOST_CHARACTERS = 500_000;

/** A token that is longer is known by its beginning; what it costs must not be for a service to say. */
const LONGEST = 16_384;

/** Tokens of some time, in the order in which they came. */
interface Half {
  readonly tokens: string[];
  characters: number;
  /** The token that has a block, in lower case; of several that have it, the last: what they have in common is none's secret alone. */
  readonly byBlock: Map<string, string>;
  /** How many of the tokens are in there. */
  indexed: number;
  /** Whether these are made of what tokens should be. */
  areOfTokens: boolean;
}

const half = (): Half => ({ tokens: [], characters: 0, byBlock: new Map(), indexed: 0, areOfTokens: true });

/**
 * The tokens that a run was given last, to be met in what a service says: between 500,000 and a million characters of them. Older
 * ones are forgotten, so that a run of a million tokens stays small. To be told of one costs next to nothing; it is taken apart
 * when a text is searched for the first time after it. They are met plain or escaped (`viewsOf`), whole or at least 15 characters of
 * them, in whichever case; those that are shorter than 8 characters are not, nor are those that other workers were given.
 */
export class GivenTokens {
  #current = half();
  #before = half();

  add(token: string): void {
    if (this.#current.characters >= MOST_CHARACTERS) {
      this.#before = this.#current;
      this.#current = half();
    }
    this.#current.tokens.push(token);
    this.#current.characters += Math.min(token.length, LONGEST);
  }

  /** Tokens of which a text, read in each of these ways, may hold a part. */
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

function indexed(one: Half): Half {
  for (; one.indexed < one.tokens.length; one.indexed++) {
    const token = one.tokens[one.indexed] ?? '';
    const searched = bytesOf(token.slice(0, LONGEST));
    one.areOfTokens &&= isOfTokens(searched);
    for (let at = 0; at + BLOCK <= searched.length; at += BLOCK) one.byBlock.set(searched.slice(at, at + BLOCK), token);
    // What tells it from others may be its end, as where they are numbered.
    if (searched.length > BLOCK) one.byBlock.set(searched.slice(-BLOCK), token);
  }
  return one;
}
