import { createHash } from 'node:crypto';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A stream of reproducible random numbers. */
export interface Random {
  /** Uniform in [0, 1), 53 bits. */
  next(): number;
  /** Uniform integer in [0, below). `below` ≥ 1. */
  integer(below: number): number;
}

/**
 * A random stream that depends on `seed` and `path` alone. Streams of different paths are independent, so that adding a
 * consumer never shifts the numbers that another one sees: `seededRandom(7, 'load', 0)`, `seededRandom(7, 'journey', 12)`.
 */
export function seededRandom(seed: number, ...path: readonly (string | number)[]): Random {
  const digest = createHash('sha256')
    .update(JSON.stringify([seed, ...path]))
    .digest();
  const generator = xoroshiro128plus(digest.readInt32LE(0));
  const next = () => uniformFloat64(generator);
  return { next, integer: (below) => Math.floor(next() * below) };
}

/**
 * Random numbers by their place instead of one after the other: the number at an index depends on `seed`, `path` and the index
 * alone. For millions of independent draws: a stream of its own for each would cost a SHA-256.
 * @returns a function of a whole number ≥ 0 to a number uniform in [0, 1), 32 bits
 */
export function randomAt(seed: number, ...path: readonly (string | number)[]): (index: number) => number {
  const stream = seededRandom(seed, ...path);
  const [low, high] = [stream.integer(2 ** 32), stream.integer(2 ** 32)];
  return (index) => mixed(mixed(index ^ low) ^ Math.floor(index / 2 ** 32) ^ high) / 2 ** 32;
}

/** The finaliser of MurmurHash3 (Appleby, public domain): every bit of the argument turns about half of the result's. */
function mixed(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
