import { hash } from 'node:crypto';
import { rememberedOf } from './remembered.ts';
import { putSipDigits, type SipKey, sipKeyOf } from './sip-hash.ts';

/**
 * A keyed digest of the parts, 32 hexadecimal digits. Equal texts give equal digests within one key; without the key a digest says
 * nothing about the text, not even to somebody who guesses it. Of one text that ends in a nonce, as messages do, it is
 * `digestOfNonced`; of all others the first half of SHA-256 over key and parts. Half of a hash cannot be extended to that of a
 * longer text, so HMAC's second pass, six times the price, would add nothing.
 */
export function digestWith(key: Uint8Array, ...parts: readonly string[]): string {
  const [only] = parts;
  // As JSON, so that no text alone can have the digest of several.
  if (parts.length !== 1 || only === undefined) return hashOf(key, JSON.stringify(parts)).slice(0, DIGITS);
  const [, base, nonce] = NONCED.exec(only) ?? [];
  // Not remembered: what a service says back may be of any size, and as many texts as it likes.
  if (base !== undefined && nonce !== undefined) return digestOf(basesOf(key).find(base), nonce);
  return hashOf(key, jsonText(only)).slice(0, DIGITS);
}

/** A text with its nonce, which no two messages of a run share unless their scenario wants that. */
export const withNonce = (base: string, nonce: string): string => `${base} [${nonce}]`;

/** What `withNonce` makes of eight hexadecimal digits. */
const NONCED = /^(.*) \[([0-9a-f]{8})\]$/s;

/**
 * `digestWith` of `withNonce(base, nonce)`: SipHash-2-4 over the nonce, under two keys that SHA-256 makes of key and base, 16 digits each. Most
 * messages of a run have a base in common, so what each costs is SipHash alone: a call into OpenSSL for each was a twentieth of the
 * price of sending it. (Where no two have one in common, both are paid for.) No part of it is the base's alone, which would tell
 * which messages say the same but for their nonce.
 * @param base a text of the scenario's: it is remembered
 * @param nonce eight hexadecimal digits in lower case, else the digest is not the one of the whole text
 */
export const digestOfNonced = (key: Uint8Array, base: string, nonce: string): string =>
  digestOf(basesOf(key).remember(base), nonce);

const DIGITS = 32;
const text = Buffer.alloc(DIGITS);
const view = new DataView(text.buffer, text.byteOffset, text.length);

function digestOf({ first, second }: Base, nonce: string): string {
  putSipDigits(view, 0, first, nonce);
  putSipDigits(view, DIGITS / 2, second, nonce);
  // Of one piece: who looks at each character of two pieces has them put together first, at twice the price of the hash.
  return text.toString('latin1');
}

/** Texts that name their user are as many as users. */
const MOST_BASES = 10_000;
const MOST_CHARACTERS = 4_000_000;

interface Base {
  readonly first: SipKey;
  readonly second: SipKey;
}

class Bases {
  readonly #key: Uint8Array;
  readonly #known = new Map<string, Base>();
  #characters = 0;

  constructor(key: Uint8Array) {
    this.#key = key;
  }

  find(base: string): Base {
    return this.#known.get(base) ?? this.#make(base);
  }

  remember(base: string): Base {
    const known = this.#known.get(base);
    if (known) return known;
    const made = this.#make(base);
    this.#characters += base.length;
    if (this.#known.size >= MOST_BASES || this.#characters > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = base.length;
    }
    this.#known.set(base, made);
    return made;
  }

  /** As a list of one: no text and no several texts are hashed as that. */
  #make(base: string): Base {
    const bytes = hashOf(this.#key, `[${jsonText(base)}]`, 'binary');
    return { first: sipKeyOf(bytes, 0), second: sipKeyOf(bytes, 16) };
  }
}

const basesOf = rememberedOf((key: Uint8Array) => new Bases(key));

const hashOf = (key: Uint8Array, json: string, as: 'hex' | 'binary' = 'hex'): string =>
  hash('sha256', keyTextOf(key) + json, as);

const PLAIN = /^[ !#-[\]-~]*$/;

/** Whether JSON writes a text as it is, a byte a character. */
export const isPlainText = (text: string): boolean => PLAIN.test(text);

/** What JSON.stringify makes of a text, in a fraction of its time where nothing has to be escaped. */
export const jsonText = (text: string, isPlain = isPlainText(text)): string =>
  isPlain ? `"${text}"` : JSON.stringify(text);

/** In base 64: of a message of usual length a block less to hash than in hexadecimal. */
const keyTextOf = rememberedOf((key: Uint8Array) => Buffer.from(key).toString('base64'));
