import { REDACTED } from '../client/index.ts';

/** More are not remembered: the oldest are forgotten first. */
const MOST_TOKENS = 10_000;

/** What may be a token, with whatever a service may have put before it; shorter words are too common to be looked up. */
const LONG_WORD = /[\w.~+/-]{12,}=*/g;
const SEPARATOR = /[-._~+/]/g;

/**
 * The tokens that were issued last, to whomever. Of what a service says, each long word is looked up among them, and what follows each
 * sign in it: whole and as it was issued. Searching for every one of them, and in other forms, as for the credentials of the call
 * itself, would cost more than the request.
 */
export class IssuedTokens {
  readonly #tokens = new Set<string>();

  add(token: string): void {
    this.#tokens.add(token);
    if (this.#tokens.size <= MOST_TOKENS) return;
    for (const oldest of this.#tokens) {
      this.#tokens.delete(oldest);
      return;
    }
  }

  redact(text: string): string {
    return text.replace(LONG_WORD, (word) => this.#withoutToken(word));
  }

  #withoutToken(word: string): string {
    if (this.#tokens.has(word)) return REDACTED;
    for (const { index } of word.matchAll(SEPARATOR))
      if (this.#tokens.has(word.slice(index + 1))) return word.slice(0, index + 1) + REDACTED;
    return word;
  }
}
