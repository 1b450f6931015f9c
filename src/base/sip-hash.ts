import { putFourDigits } from './hex-digits.ts';

/** Two 64-bit words as four 32-bit ones. An object rather than an array: destructuring an array costs as much as three rounds. */
export interface SipKey {
  readonly low0: number;
  readonly high0: number;
  readonly low1: number;
  readonly high1: number;
}

/** Reads a key from sixteen bytes at `at`, one per character. */
export const sipKeyOf = (bytes: string, at: number): SipKey => ({
  low0: wordAt(bytes, at),
  high0: wordAt(bytes, at + 4),
  low1: wordAt(bytes, at + 8),
  high1: wordAt(bytes, at + 12),
});

/**
 * SipHash-2-4 (Aumasson and Bernstein 2012) of eight bytes: a 64-bit keyed hash. It computes with 32-bit words, because 64-bit
 * arithmetic is slow in JavaScript; Node does not provide SipHash.
 * @param text receives the hash as 16 hexadecimal digits from `at` on, in the byte order of the authors' test vectors
 * @param eight eight characters below 256, one per byte
 */
export function putSipDigits(text: DataView, at: number, key: SipKey, eight: string): void {
  const low = wordAt(eight, 0);
  const high = wordAt(eight, 4);
  const { low0, high0, low1, high1 } = key;
  // The paper's words v0 to v3 are a to d here, each with a low and a high half.
  let al = low0 ^ 0x7073_6575;
  let ah = high0 ^ 0x736f_6d65;
  let bl = low1 ^ 0x6e64_6f6d;
  let bh = high1 ^ 0x646f_7261;
  let cl = low0 ^ 0x6e65_7261;
  let ch = high0 ^ 0x6c79_6765;
  let dl = low1 ^ 0x7974_6573 ^ low;
  let dh = high1 ^ 0x7465_6462 ^ high;
  let swapped = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Two rounds for each of the two blocks, then four final rounds.
    if (round === 2) {
      al ^= low;
      ah ^= high;
      dh ^= LENGTH_BLOCK;
    } else if (round === 4) {
      ah ^= LENGTH_BLOCK;
      cl ^= 0xff;
    }
    // a += b; b = rotated(b, 13) ^ a; a = rotated(a, 32)
    al = (al + bl) | 0;
    ah = (ah + bh + carry(al, bl)) | 0;
    swapped = (bl << 13) | (bh >>> 19);
    bh = ((bh << 13) | (bl >>> 19)) ^ ah;
    bl = swapped ^ al;
    swapped = al;
    al = ah;
    ah = swapped;
    // c += d; d = rotated(d, 16) ^ c
    cl = (cl + dl) | 0;
    ch = (ch + dh + carry(cl, dl)) | 0;
    swapped = (dl << 16) | (dh >>> 16);
    dh = ((dh << 16) | (dl >>> 16)) ^ ch;
    dl = swapped ^ cl;
    // a += d; d = rotated(d, 21) ^ a
    al = (al + dl) | 0;
    ah = (ah + dh + carry(al, dl)) | 0;
    swapped = (dl << 21) | (dh >>> 11);
    dh = ((dh << 21) | (dl >>> 11)) ^ ah;
    dl = swapped ^ al;
    // c += b; b = rotated(b, 17) ^ c; c = rotated(c, 32)
    cl = (cl + bl) | 0;
    ch = (ch + bh + carry(cl, bl)) | 0;
    swapped = (bl << 17) | (bh >>> 15);
    bh = ((bh << 17) | (bl >>> 15)) ^ ch;
    bl = swapped ^ cl;
    swapped = cl;
    cl = ch;
    ch = swapped;
  }
  putWord(text, at, al ^ bl ^ cl ^ dl);
  putWord(text, at + 8, ah ^ bh ^ ch ^ dh);
}

/** A 32-bit word from four bytes, one per character, in little-endian order. */
const wordAt = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) |
  (bytes.charCodeAt(at + 1) << 8) |
  (bytes.charCodeAt(at + 2) << 16) |
  (bytes.charCodeAt(at + 3) << 24);

/** The final block of an eight-byte message contains only its length. */
const LENGTH_BLOCK = 8 << 24;
const ROUNDS = 8;

/** Carry of a 32-bit addition, from the sum and one addend. */
const carry = (sum: number, word: number): number => (sum >>> 0 < word >>> 0 ? 1 : 0);

/** Writes a word as eight hexadecimal digits, least significant byte first. */
function putWord(text: DataView, at: number, word: number): void {
  putFourDigits(text, at, ((word & 0xff) << 8) | ((word >>> 8) & 0xff));
  putFourDigits(text, at + 4, ((word >>> 8) & 0xff00) | (word >>> 24));
}
