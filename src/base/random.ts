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
