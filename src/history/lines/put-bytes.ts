/**
 * Copies a few bytes; up to about forty bytes this is faster than `set`.
 * @returns the offset after the last byte
 */
export function putBytes(page: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) page[at + index] = bytes[index] ?? 0;
  return at + bytes.length;
}
