import { createHash } from 'node:crypto';
import { putFourDigits } from './hex-digits.ts';
import { uuidFrom } from './identifiers.ts';

/** What a client-chosen identifier names. One step may choose one of each kind. */
export type ChosenFor = 'message' | 'conversation';

/** The inputs from which an identifier is derived. The numbers are integers ≥ 0. */
export interface UuidParts {
  readonly runId: string;
  readonly arrival: number;
  readonly step: number;
  readonly kind: ChosenFor;
  /** Position of the message within its burst. */
  readonly index: number;
}

const TWO_TO_32 = 2 ** 32;
const KIND_BITS = { message: 0, conversation: 1 } as const;

/**
 * A UUID (version 8) that is a pure function of its parts. Within a run, different parts give different UUIDs; UUIDs of
 * different runs differ except by chance. `uuidFrom` (a hash) would do as well, but costs ten times as much, and every message
 * needs one. The parts fill 98 of the 122 free bits. All bits are XORed with a key derived from the run id and then mixed by a
 * four-round Feistel-like permutation, in which each word is XORed with a hash of the other three. A permutation cannot
 * collide, and the first 32 bits vary between messages as random bits would.
 */
export function arrivalUuid(parts: UuidParts): string {
  const { runId, arrival, step, kind, index } = parts;
  // The bit fields hold 10^12 arrivals, 4 × 10^9 steps and bursts of 16 million; anything larger is hashed.
  const fits = arrival < 2 ** 40 && step < TWO_TO_32 && index < 2 ** 24;
  if (!fits) return uuidFrom(runId, arrival, step, kind, index);
  const { k0, k1, k2, k3 } = keyOf(runId);
  let a = (step ^ k0) >>> 0;
  let b = (((index & 0xf_ffff) << 8) | Math.floor(arrival / TWO_TO_32) | 0) ^ k1;
  let c = ((index >>> 20) | (KIND_BITS[kind] << 4)) ^ k2;
  let d = arrival ^ k3;
  b &= 0x0fff_ffff;
  c &= 0x3fff_ffff;
  a ^= mixed(b, c, d);
  d ^= mixed(a, b, c);
  c = (c ^ mixed(d, a, b)) & 0x3fff_ffff;
  b = (b ^ mixed(c, d, a)) & 0x0fff_ffff;
  return format(a, b, c, d);
}

/** An object rather than an array: destructuring an array is measurably slower here. */
interface Key {
  readonly k0: number;
  readonly k1: number;
  readonly k2: number;
  readonly k3: number;
}

let lastRun: { readonly runId: string; readonly key: Key } | undefined;

function keyOf(runId: string): Key {
  if (lastRun?.runId === runId) return lastRun.key;
  const hash = createHash('sha256').update(runId).digest();
  const [k0, k1, k2, k3] = [
    hash.readInt32LE(0),
    hash.readInt32LE(4),
    hash.readInt32LE(8),
    hash.readInt32LE(12),
  ] as const;
  const key = { k0, k1, k2, k3 };
  lastRun = { runId, key };
  return key;
}

/** 32-bit hash of three words: the rounds and the finaliser of MurmurHash3 (Appleby, public domain). */
function mixed(x: number, y: number, z: number): number {
  let hash = round(round(round(0x9e37_79b9, x), y), z);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return hash ^ (hash >>> 16);
}

function round(hash: number, word: number): number {
  const scrambled = Math.imul(word, 0xcc9e_2d51);
  const combined = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b87_3593);
  return (Math.imul((combined << 13) | (combined >>> 19), 5) + 0xe654_6b64) | 0;
}

const text = Buffer.from('00000000-0000-8000-8000-000000000000', 'latin1');
const view = new DataView(text.buffer, text.byteOffset, text.length);

/**
 * @param b 28 bits: 16 before the version digit, 12 after it
 * @param c 30 bits after the variant
 */
function format(a: number, b: number, c: number, d: number): string {
  putFourDigits(view, 0, a >>> 16);
  putFourDigits(view, 4, a);
  putFourDigits(view, 9, b >>> 12);
  putFourDigits(view, 14, (b & 0x0fff) | 0x8000);
  putFourDigits(view, 19, (c >>> 16) | 0x8000);
  putFourDigits(view, 24, c);
  putFourDigits(view, 28, d >>> 16);
  putFourDigits(view, 32, d);
  return text.toString('latin1');
}
