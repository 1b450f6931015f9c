/**
 * Copies a few bytes: below some forty, this is faster than `set`, which first examines its argument.
 * @returns where they end
 */
export function putBytes(page: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) page[at + index] = bytes[index] ?? 0;
  return at + bytes.length;
}
