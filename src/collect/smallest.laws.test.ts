import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CountsOfFirstKeys, Smallest } from './smallest.ts';

const limits = fc.integer({ min: 1, max: 4 });
const cuts = fc.nat({ max: 12 });

it('the smallest items are the first in their order, whatever the order of adding, and merged from parts', () => {
  fc.assert(
    fc.property(limits, fc.array(fc.nat({ max: 20 }), { maxLength: 12 }), cuts, (limit, numbers, cut) => {
      const smallestOf = (some: readonly number[]) => {
        const smallest = new Smallest<number>(limit, (a, b) => a - b);
        for (const one of some) smallest.add(one);
        return smallest;
      };
      const merged = smallestOf(numbers.slice(0, cut));
      merged.merge(smallestOf(numbers.slice(cut)));
      const first = [...numbers].sort((a, b) => a - b).slice(0, limit);
      expect([smallestOf(numbers).items(), merged.items()]).toEqual([first, first]);
    }),
  );
});

it('the first keys have their whole counts, whatever the order of adding, and merged from parts', () => {
  fc.assert(
    fc.property(limits, fc.array(fc.constantFrom(...'abcdefg'), { maxLength: 12 }), cuts, (limit, keys, cut) => {
      const countsOf = (some: readonly string[]) => {
        const counts = new CountsOfFirstKeys(limit);
        for (const key of some) counts.add(key);
        return counts;
      };
      const merged = countsOf(keys.slice(0, cut));
      merged.merge(countsOf(keys.slice(cut)));
      const first = [...new Set(keys)].sort().slice(0, limit);
      const expected = first.map((key) => [key, keys.filter((one) => one === key).length]);
      expect([countsOf(keys).entries(), merged.entries()]).toEqual([expected, expected]);
    }),
  );
});
