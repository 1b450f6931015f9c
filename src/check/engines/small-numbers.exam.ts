import fc from 'fast-check';
import { admitted, sliceOf } from '../readings/sample-attempts.exam.ts';
import { admittedOf } from './admitted.ts';

/*
 * The quick ways of the engines against plain ones, on small whole numbers, so that equal ones are common.
 */

export const small = fc.nat({ max: 12 });
export const unorderedIntervals = fc
  .array(fc.tuple(small, fc.nat({ max: 5 })), { maxLength: 10 })
  .map((all) => all.map(([from, length]) => ({ from, to: from + length })));
export const intervals = unorderedIntervals.map((all) => all.sort((a, b) => a.from - b.from));
export const admittedIn = (all: readonly { from: number; to: number }[]) =>
  admittedOf(sliceOf(all.map(({ from, to }) => admitted(from, to))));
const RUNS = { numRuns: 150 };
export const law = <T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
) =>
  fc.assert(
    fc.property(...(arbitraries as [fc.Arbitrary<unknown>]), holds as unknown as (value: unknown) => void),
    RUNS,
  );
