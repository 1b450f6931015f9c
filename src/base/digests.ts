import { hash } from 'node:crypto';
import { rememberedOf } from './remembered.ts';
import { putSipDigits, putWord, type SipKey, sipKeyOf, wordAt } from './sip-hash.ts';

/**
 * A keyed digest of the parts, 32 hexadecimal digits. Equal texts give equal digests within one key; without the key a digest says
 * nothing about the text, not even to somebody who guesses it. Of one text that ends in a nonce, as messages do, it is
 * `digestOfNonced`; of all others the first half of SHA-256 over key and parts. Half of a hash cannot be extended to that of a
 * longer text, so HMAC's second pass, six times the price, would add nothing.
 */
export function digestWith(key: Buffer, ...parts: readonly string[]): string {
  const [only] = parts;
  // As JSON, so that no text alone can have the digest of several.
  if (parts.length !== 1 || only === undefined) return hashOf(key, JSON.stringify(parts)).slice(0, DIGITS);
  const [, base, nonce] = NONCED.exec(only) ?? [];
  if (base !== undefined && nonce !== undefined) return digestOfNonced(key, base, nonce);
  return hashOf(key, jsonText(only)).slice(0, DIGITS);
}

/** A text with its nonce, which no two messages of a run share unless their scenario wants that. */
export const withNonce = (base: string, nonce: string): string => `${base} [${nonce}]`;

/** What `withNonce` makes of eight hexadecimal digits. */
const NONCED = /^(.*) \[([0-9a-f]{8})\]$/s;

/**
 * `digestWith` of `withNonce(base, nonce)`: 16 digits of SipHash-2-4 over the nonce, under a key that SHA-256 makes of key and base, and
 * 16 of that hash itself. Most messages of a run have a base in common, so what each costs is SipHash alone: a call into OpenSSL
 * for each was a twentieth of the price of sending it. (Where no two have one in common, both are paid for.) Those that differ in the nonce differ from the first digits on.
 * @param nonce eight hexadecimal digits in lower case, else the digest is not the one of the whole text
 */
export function digestOfNonced(key: Buffer, base: string, nonce: string): string {
  const { sipKey, low, high } = basesOf(key).of(base);
  putSipDigits(view, sipKey, nonce);
  putWord(view, DIGITS / 2, low);
  putWord(view, DIGITS / 2 + 8, high);
  // Of one piece: who looks at each character of two pieces has them put together first, at twice the price of the hash.
  return text.toString('latin1');
}

const DIGITS = 32;
/** Texts of scenarios are fewer; of texts that name their user, some are hashed again. */
const MOST_BASES = 1_000;

const text = Buffer.alloc(DIGITS);
const view = new DataView(text.buffer, text.byteOffset, text.length);

interface Base {
  readonly sipKey: SipKey;
  /** What every digest with this base ends in. */
  readonly low: number;
  readonly high: number;
}

class Bases {
  readonly #key: Buffer;
  readonly #known = new Map<string, Base>();

  constructor(key: Buffer) {
    this.#key = key;
  }

  of(base: string): Base {
    const known = this.#known.get(base);
    if (known) return known;
    // As a list of one: no text and no several texts are hashed as that.
    const bytes = hashOf(this.#key, `[${jsonText(base)}]`, 'binary');
    const made = { sipKey: sipKeyOf(bytes), low: wordAt(bytes, 16), high: wordAt(bytes, 20) };
    if (this.#known.size >= MOST_BASES) this.#known.clear();
    this.#known.set(base, made);
    return made;
  }
}

const basesOf = rememberedOf((key: Buffer) => new Bases(key));

const hashOf = (key: Buffer, json: string, as: 'hex' | 'binary' = 'hex'): string =>
  hash('sha256', keyTextOf(key) + json, as);

const PLAIN = /^[ !#-[\]-~]*$/;

/** Whether JSON writes a text as it is, a byte a character. */
export const isPlainText = (text: string): boolean => PLAIN.test(text);

/** What JSON.stringify makes of a text, in a fraction of its time where nothing has to be escaped. */
export const jsonText = (text: string, isPlain = isPlainText(text)): string =>
  isPlain ? `"${text}"` : JSON.stringify(text);

/** In base 64: of a message of usual length a block less to hash than in hexadecimal. */
const keyTextOf = rememberedOf((key: Buffer) => key.toString('base64'));
