import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, type ZlibOptions } from 'node:zlib';

/** Codings that can be decoded, as sent in Accept-Encoding (RFC 9110 section 12.5.3). */
export const KNOWN_CODINGS = 'gzip, deflate, br';

type Undo = (bytes: Buffer, options: ZlibOptions) => Buffer;

/** The low four bits of zlib's first byte are its method, always 8; both bytes together are a multiple of 31 (RFC 1950). */
const isZlib = (bytes: Buffer): boolean =>
  ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0;

const undo: ReadonlyMap<string, Undo> = new Map<string, Undo>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // Some servers omit the zlib wrapper around the compressed data (RFC 9110 section 8.4.1.2).
  ['deflate', (bytes, options) => (isZlib(bytes) ? inflateSync : inflateRawSync)(bytes, options)],
  ['br', brotliDecompressSync],
]);

/** A server may apply several codings in succession; more than this is an attack. */
const MOST_CODINGS = 3;

const codingsOf = (header: string): readonly string[] =>
  header
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity');

/** A decoded body, or why it cannot be used. */
export type Decoded =
  | { readonly bytes: Buffer }
  /** The coding is unknown, or the body is not in that coding. */
  | { readonly bodyProblem: 'content-coding' }
  | { readonly failure: 'answer-too-large' };

/**
 * Decodes a body, even if the coding was not requested. Synchronously: answers are small, and their end has been stamped before.
 * @param contentEncoding value of the header
 * @param mostBytes limit of the decoded size: a kilobyte can expand to a megabyte
 */
export function decode(contentEncoding: string, bytes: Buffer, mostBytes: number): Decoded {
  const steps = codingsOf(contentEncoding).map((coding) => undo.get(coding));
  if (steps.length > MOST_CODINGS) return { bodyProblem: 'content-coding' };
  let plain = bytes;
  // The coding applied last is listed last.
  for (const step of steps.reverse()) {
    if (step === undefined) return { bodyProblem: 'content-coding' };
    try {
      plain = step(plain, { maxOutputLength: mostBytes });
    } catch (error) {
      const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return isTooLarge ? { failure: 'answer-too-large' } : { bodyProblem: 'content-coding' };
    }
  }
  return { bytes: plain };
}
