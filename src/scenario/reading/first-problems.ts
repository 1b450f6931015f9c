import type { ConfigProblem } from '../../base/index.ts';

/** The first problems of a file, and how many more it has: what is wrong in one row or step is often wrong in every other. */
export function firstProblems(problems: readonly ConfigProblem[], file: string, most: number): ConfigProblem[] {
  const more = problems.length - most;
  const rest = `has ${more} more problem${more === 1 ? '' : 's'}, probably of the same kind`;
  return [...problems.slice(0, most), ...(more > 0 ? [{ file, path: '', message: rest, count: more }] : [])];
}

/** How many problems of a file of rows are reported. */
export const MOST_OF_ROWS = 20;
