import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { rememberedOf } from './remembered.ts';

/** A random UUID (version 4), different at every call. */
export const freshUuid = (): string => randomUUID();

/** A secret of 32 bytes for keyed digests; lives in memory only. */
export const freshKey = (): Buffer => randomBytes(32);

/**
 * A UUID (version 8, RFC 9562 section 5.8) that is a pure function of its parts:
 * the same run, arrival and step give the same identifier, anything else another one.
 */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * A keyed digest of the parts, 32 hexadecimal digits: the first half of SHA-256 over key and parts. Equal texts give equal
 * digests within one key; without the key a digest says nothing about the text, not even to somebody who guesses it. Half of
 * a hash cannot be extended to that of a longer text, so HMAC's second pass, six times the price, would add nothing.
 */
export function digestWith(key: Buffer, ...parts: readonly string[]): string {
  // As JSON, so that no text alone can have the digest of several.
  const [only] = parts;
  return digestOfJson(key, parts.length === 1 && only !== undefined ? jsonText(only) : JSON.stringify(parts));
}

/** `digestWith` of one text whose JSON, as `jsonText` writes it, is there already. */
export const digestOfJson = (key: Buffer, json: string): string =>
  hash('sha256', textOf(key) + json, 'hex').slice(0, 32);

const PLAIN = /^[ !#-[\]-~]*$/;

/** Whether JSON writes a text as it is, a byte a character. */
export const isPlainText = (text: string): boolean => PLAIN.test(text);

/** What JSON.stringify makes of a text, in a fraction of its time where nothing has to be escaped. */
export const jsonText = (text: string, isPlain = isPlainText(text)): string =>
  isPlain ? `"${text}"` : JSON.stringify(text);

/** In base 64: of a message of usual length a block less to hash than in hexadecimal. */
const textOf = rememberedOf((key: Buffer) => key.toString('base64'));
