import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DistinctCount } from './distinct-count.ts';

const near = fc.nat({ max: 4_000 });
const numbers = fc.array(fc.oneof(near, near, fc.maxSafeNat()), { maxLength: 200 });
const runs = fc.array(fc.tuple(near, fc.nat({ max: 5_000 })), { maxLength: 4 });

const counted = (values: readonly number[]): DistinctCount => {
  const count = new DistinctCount();
  for (const value of values) count.add(value);
  return count;
};

it('counts like a Set, in any order, with complete pages, and merged from parts', () => {
  fc.assert(
    fc.property(numbers, runs, fc.nat({ max: 200 }), (some, ranges, cut) => {
      const all = [...some, ...ranges.flatMap(([from, length]) => Array.from({ length }, (_, k) => from + k)), ...some];
      expect(counted(all).size).toBe(new Set(all).size);
      const [one, other] = [counted(all.slice(0, cut)), counted(all.slice(cut))];
      one.merge(other);
      expect(one.size).toBe(new Set(all).size);
    }),
  );
});
