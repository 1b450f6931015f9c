import { type Random, randomAt } from '../base/index.ts';

/** Random numbers for trials. Each dimension of a world has its own stream, so that changes of one do not affect the others. */
export interface Draw {
  readonly random: Random;
  pick<T>(values: readonly T[]): T;
  chance(probability: number): boolean;
  /** Uniform in [from, to). */
  between(from: number, to: number): number;
  /** A whole number, both ends included. */
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

/** Seeds of a stream are offsets into one sequence per path. A digest per stream took a twentieth of a trial. */
function streamOf(seed: number, path: string): Random {
  const known = places.get(path) ?? randomAt(0, 'trials', path);
  places.set(path, known);
  let index = seed * MOST_DRAWS;
  const next = () => known(index++);
  return { next, integer: (below) => Math.floor(next() * below) };
}

/** Maximum of draws from one stream of a world. */
const MOST_DRAWS = 2 ** 16;
