import { hash } from 'node:crypto';
import { rememberedOf } from '../remembered.ts';
import { putSipDigits, type SipKey, sipHash, sipKeyOf } from './sip-hash.ts';

/**
 * A keyed digest of the parts, 32 hexadecimal digits. With the same key, equal texts give equal digests. Without the key a
 * digest reveals nothing about the text, and a guess at the text cannot be confirmed.
 * A single text that ends in a nonce (as messages do) is digested by `digestOfNonced`; anything else by the first half of
 * SHA-256 over key and parts. Truncation prevents length extension, so HMAC, at six times the cost, would add nothing.
 */
export function digestWith(key: Uint8Array, ...parts: readonly string[]): string {
  const [only] = parts;
  // A JSON array, so that a single text cannot have the digest of several.
  if (parts.length !== 1 || only === undefined) return hashOf(key, JSON.stringify(parts)).slice(0, DIGITS);
  const [, base, nonce] = NONCED.exec(only) ?? [];
  // Not cached: texts from a service are unbounded in size and number.
  if (base !== undefined && nonce !== undefined) return digestOf(basesOf(key).find(base), nonce);
  return hashOf(key, jsonText(only)).slice(0, DIGITS);
}

/** A text with its nonce appended. Two messages of a run share a nonce only if their scenario asks for it. */
export const withNonce = (base: string, nonce: string): string => `${base} [${nonce}]`;

/** Output of `withNonce` for a nonce of eight hexadecimal digits. */
const NONCED = /^(.*) \[([0-9a-f]{8})\]$/s;

/**
 * `digestWith` of `withNonce(base, nonce)`: two SipHash-2-4 values of the nonce, 16 digits each, under two keys derived by
 * SHA-256 from key and base. Most messages of a run share a base, so each costs only the SipHash; one OpenSSL call per message
 * took a twentieth of the cost of sending it. (If no two messages share a base, both hashes are computed for each.)
 * No part of the digest depends on the base alone, because that would reveal which messages differ only in their nonce.
 * @param base a text of the scenario; its keys are cached
 * @param nonce eight hexadecimal digits in lower case; any other nonce gives a digest that differs from `digestWith`
 */
export const digestOfNonced = (key: Uint8Array, base: string, nonce: string): string =>
  digestOf(basesOf(key).remember(base), nonce);

const DIGITS = 32;
const text = Buffer.alloc(DIGITS);
const view = new DataView(text.buffer, text.byteOffset, text.length);

function digestOf({ first, second }: Base, nonce: string): string {
  putSipDigits(view, 0, first, nonce);
  putSipDigits(view, DIGITS / 2, second, nonce);
  // One flat string: a reader of a concatenated one would have to flatten it first, at twice the cost of the hash.
  return text.toString('latin1');
}

/** Bounds of the cache: a scenario whose texts name the user has as many bases as users. */
const MOST_BASES = 10_000;
const MOST_CHARACTERS = 4_000_000;

interface Base {
  readonly first: SipKey;
  readonly second: SipKey;
}

/** Cache of the derived keys by base. */
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

  /** Hashes a JSON array of one element; `digestWith` never hashes such an array. */
  #make(base: string): Base {
    const bytes = hashOf(this.#key, `[${jsonText(base)}]`, 'binary');
    return { first: sipKeyOf(bytes, 0), second: sipKeyOf(bytes, 16) };
  }
}

/**
 * Like `digestWith`, as 64 bits of SipHash-2-4, for what is compared in memory and never written: a quarter of the cost.
 * @param purpose texts of different purposes have unrelated hashes
 * @returns a function that puts the hash of a text into two 32-bit words
 */
export function shortDigests(key: Uint8Array, purpose: string): (words: Uint32Array, text: string) => void {
  const own = sipKeyOf(hashOf(key, JSON.stringify([purpose, 'short']), 'binary'), 0);
  // JSON begins with a quotation mark, which no plain text contains.
  const bytesOf = (text: string) =>
    isPlainText(text) ? text : Buffer.from(JSON.stringify(text), 'utf8').toString('latin1');
  return (words, text) => sipHash(words, own, bytesOf(text));
}

const basesOf = rememberedOf((key: Uint8Array) => new Bases(key));

const hashOf = (key: Uint8Array, json: string, as: 'hex' | 'binary' = 'hex'): string =>
  hash('sha256', keyTextOf(key) + json, as);

const PLAIN = /^[ !#-[\]-~]*$/;

/** Whether JSON writes a text unescaped, one byte per character. */
export const isPlainText = (text: string): boolean => PLAIN.test(text);

/** Equal to JSON.stringify(text), but much faster if nothing needs escaping. */
export const jsonText = (text: string): string => (isPlainText(text) ? `"${text}"` : JSON.stringify(text));

/** In base64: for messages of usual length this saves one SHA-256 block over hexadecimal. */
const keyTextOf = rememberedOf((key: Uint8Array) => Buffer.from(key).toString('base64'));
