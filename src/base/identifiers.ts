import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A random UUID (version 4). */
export const freshUuid = (): string => randomUUID();

/** A random 32-byte key for keyed digests; kept in memory only. */
export const freshKey = (): Uint8Array => randomBytes(32);

/** A UUID (version 8, RFC 9562 section 5.8) that is a pure function of its parts (a SHA-256 of them). */
export function uuidFrom(...parts: readonly (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The label of every token that is made up (`credentials: invalid`). Each user makes up another. */
export const MADE_UP_TOKEN = 'invalid';
