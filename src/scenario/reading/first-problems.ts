import { type ConfigProblem, plural } from '../../base/index.ts';

/** How many problems of a file of rows are reported. */
const MOST_OF_ROWS = 20;

/** The first problems of a file, and how many more it has. */
export const firstProblems = (problems: readonly ConfigProblem[], file: string): ConfigProblem[] => [
  ...problems.slice(0, MOST_OF_ROWS),
  ...moreProblems(problems.length - MOST_OF_ROWS, file),
];

/** A line for those left out: what is wrong in one row or step is often wrong in every other. */
export function moreProblems(more: number, file: string): ConfigProblem[] {
  const message = `has ${plural(more, 'more problem')}, probably of the same kind`;
  return more > 0 ? [{ file, path: '', message, count: more }] : [];
}
