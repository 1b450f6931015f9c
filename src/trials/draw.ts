import { type Random, randomAt } from '../base/index.ts';

/** Chance for trials: a stream per dimension of a world, so that one dimension can grow without shifting the others. */
export interface Draw {
  readonly random: Random;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
  /** Uniform in [from, to). */
  between(from: number, to: number): number;
  /** Whole, both ends included. */
  whole(from: number, to: number): number;
  /** Exponential, with this mean. */
  wait(mean: number): number;
}

export function drawOf(seed: number, ...path: readonly (string | number)[]): Draw {
  const random = streamOf(seed, path.join('/'));
  return {
    random,
    pick: <T>(values: readonly T[]): T => values[random.integer(values.length)] as T,
    chance: (probability) => random.next() < probability,
    between: (from, to) => from + random.next() * (to - from),
    whole: (from, to) => from + random.integer(to - from + 1),
    wait: (mean) => -Math.log(1 - random.next()) * mean,
  };
}

const places = new Map<string, (index: number) => number>();

/** By place instead of by a digest for each: a world draws from a dozen streams, whose digests took a twentieth of a trial. */
function streamOf(seed: number, path: string): Random {
  const known = places.get(path) ?? randomAt(0, 'trials', path);
  places.set(path, known);
  let index = seed * MOST_DRAWS;
  const next = () => known(index++);
  return { next, integer: (below) => Math.floor(next() * below) };
}

/** No world draws more often from one stream. */
const MOST_DRAWS = 2 ** 16;
