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
 * SipHash-2-4 (Aumasson and Bernstein 2012): a 64-bit keyed hash. It computes with 32-bit words, because 64-bit arithmetic is slow in
 * JavaScript; Node does not provide SipHash.
 * @param words receives the hash: its low half first
 * @param bytes characters below 256, one per byte
 */
export function sipHash(words: Uint32Array, { low0, high0, low1, high1 }: SipKey, bytes: string): void {
  const whole = bytes.length >>> 3;
  // Two rounds for each block of eight bytes and for the one with the rest and the length, then four final rounds.
  const final = 2 * (whole + 1);
  // The paper's words v0 to v3 are a to d here, each with a low and a high half.
  let al = low0 ^ 0x7073_6575;
  let ah = high0 ^ 0x736f_6d65;
  let bl = low1 ^ 0x6e64_6f6d;
  let bh = high1 ^ 0x646f_7261;
  let cl = low0 ^ 0x6e65_7261;
  let ch = high0 ^ 0x6c79_6765;
  let dl = low1 ^ 0x7974_6573;
  let dh = high1 ^ 0x7465_6462;
  let low = 0;
  let high = 0;
  let swapped = 0;
  for (let round = 0; round < final + 4; round++) {
    if (round <= final && (round & 1) === 0) {
      // The block before; zero at first.
      al ^= low;
      ah ^= high;
      const at = 4 * round;
      if (round === final) {
        low = high = 0;
        cl ^= 0xff;
      } else if (at < 8 * whole) {
        low = wordAt(bytes, at);
        high = wordAt(bytes, at + 4);
      } else {
        low = restAt(bytes, at);
        high = restAt(bytes, at + 4) | (bytes.length << 24);
      }
      dl ^= low;
      dh ^= high;
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
  words[0] = al ^ bl ^ cl ^ dl;
  words[1] = ah ^ bh ^ ch ^ dh;
}

const hashed = new Uint32Array(2);

/** Writes the hash as 16 hexadecimal digits at `at`, in the byte order of the authors' test vectors. See `sipHash`. */
export function putSipDigits(text: DataView, at: number, key: SipKey, bytes: string): void {
  sipHash(hashed, key, bytes);
  putWord(text, at, hashed[0] ?? 0);
  putWord(text, at + 8, hashed[1] ?? 0);
}

/** A 32-bit word from four bytes, one per character, in little-endian order. */
const wordAt = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) |
  (bytes.charCodeAt(at + 1) << 8) |
  (bytes.charCodeAt(at + 2) << 16) |
  (bytes.charCodeAt(at + 3) << 24);

/** Like `wordAt`, at the end of the bytes: those that are missing are zero. */
function restAt(bytes: string, at: number): number {
  let word = 0;
  for (let i = 0; i < 4 && at + i < bytes.length; i++) word |= bytes.charCodeAt(at + i) << (8 * i);
  return word;
}

/** Carry of a 32-bit addition, from the sum and one addend. */
const carry = (sum: number, word: number): number => (sum >>> 0 < word >>> 0 ? 1 : 0);

/** Writes a word as eight hexadecimal digits, least significant byte first. */
function putWord(text: DataView, at: number, word: number): void {
  putFourDigits(text, at, ((word & 0xff) << 8) | ((word >>> 8) & 0xff));
  putFourDigits(text, at + 4, ((word >>> 8) & 0xff00) | (word >>> 24));
}
