import { hash } from 'node:crypto';
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
 * A random stream that is a function of `seed` and `path`. Streams of different paths are independent, so a new consumer does
 * not change the numbers that another one gets: `seededRandom(7, 'load', 0)`, `seededRandom(7, 'journey', 12)`.
 */
export function seededRandom(seed: number, ...path: readonly (string | number)[]): Random {
  const digest = hash('sha256', JSON.stringify([seed, ...path]), 'buffer');
  const generator = xoroshiro128plus(digest.readInt32LE(0));
  const next = () => uniformFloat64(generator);
  return { next, integer: (below) => Math.floor(next() * below) };
}

/**
 * Random access to random numbers: the number at an index is a function of `seed`, `path` and the index. For millions of
 * independent draws, each of which would otherwise need its own stream and so a SHA-256.
 * @returns a function from an integer ≥ 0 to a number uniform in [0, 1), 32 bits
 */
export function randomAt(seed: number, ...path: readonly (string | number)[]): (index: number) => number {
  const stream = seededRandom(seed, ...path);
  const [low, high] = [stream.integer(2 ** 32), stream.integer(2 ** 32)];
  return (index) => mixed(mixed(index ^ low) ^ Math.floor(index / 2 ** 32) ^ high) / 2 ** 32;
}

/** The finaliser of MurmurHash3 (Appleby, public domain): each input bit flips about half of the output bits. */
function mixed(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
