import { putFourDigits } from './hex-digits.ts';

/** Two words of 64 bits, each as two of 32. Members and no list: taking a list apart costs as much as three rounds. */
export interface SipKey {
  readonly low0: number;
  readonly high0: number;
  readonly low1: number;
  readonly high1: number;
}

/** Of sixteen bytes, a character each. */
export const sipKeyOf = (bytes: string, at: number): SipKey => ({
  low0: wordAt(bytes, at),
  high0: wordAt(bytes, at + 4),
  low1: wordAt(bytes, at + 8),
  high1: wordAt(bytes, at + 12),
});

/**
 * SipHash-2-4 (Aumasson and Bernstein 2012) of a text of eight characters below 256, a byte each: 64 bits that say nothing of the text
 * without the key. In words of 32 bits, since JavaScript has no others that are quick; Node has it in no form.
 * @param text the hash's 16 hexadecimal digits are written to it from `at` on, in the order in which the authors write the bytes
 */
export function putSipDigits(text: DataView, at: number, key: SipKey, eight: string): void {
  const low = wordAt(eight, 0);
  const high = wordAt(eight, 4);
  const { low0, high0, low1, high1 } = key;
  // The authors' words v0 to v3 are a to d here, low half and high half.
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
    // Two rounds for each of the two blocks, and four at the end.
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

/** Four bytes, a character each, the lowest first. */
const wordAt = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) |
  (bytes.charCodeAt(at + 1) << 8) |
  (bytes.charCodeAt(at + 2) << 16) |
  (bytes.charCodeAt(at + 3) << 24);

/** The last block of a message of eight bytes holds their number alone. */
const LENGTH_BLOCK = 8 << 24;
const ROUNDS = 8;

/** Of a sum of two words, by the sum and one of them. */
const carry = (sum: number, word: number): number => (sum >>> 0 < word >>> 0 ? 1 : 0);

/** Writes the eight hexadecimal digits of a word, those of its lowest byte first. */
function putWord(text: DataView, at: number, word: number): void {
  putFourDigits(text, at, ((word & 0xff) << 8) | ((word >>> 8) & 0xff));
  putFourDigits(text, at + 4, ((word >>> 8) & 0xff00) | (word >>> 24));
}
