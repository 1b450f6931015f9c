import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { NumberSet } from './number-set.ts';

const numbers = fc.array(fc.nat({ max: 40 }));
const setOf = (members: readonly number[]) => {
  const set = new NumberSet();
  for (const member of members) set.add(member);
  return set;
};

describe('NumberSet', () => {
  it('contains the same numbers as a Set', () => {
    fc.assert(
      fc.property(numbers, numbers, (members, others) => {
        const reference = new Set(members);
        const set = setOf(members);
        expect(set.size).toBe(reference.size);
        expect(set.max).toBe(members.length === 0 ? undefined : Math.max(...members));
        expect(set.gaps).toBe(members.length === 0 ? 0 : Math.max(...members) + 1 - reference.size);
        for (let number = 0; number <= 41; number++) expect(set.has(number)).toBe(reference.has(number));
        expect(set.countWithout(setOf(others))).toBe([...reference].filter((one) => !others.includes(one)).length);
      }),
    );
  });

  it('is the union after addAll', () => {
    fc.assert(
      fc.property(numbers, numbers, (members, others) => {
        const union = setOf(members);
        union.addAll(setOf(others));
        expect(union.size).toBe(new Set([...members, ...others]).size);
      }),
    );
  });

  it('contains the same numbers as a Set for more numbers than its buffer, in any order', () => {
    const random = seededRandom(5, 'numbers');
    const reference = new Set<number>();
    const set = new NumberSet();
    for (let i = 0; i < 12_000; i++) {
      const value = i % 3 === 0 ? 30_000 + i : random.integer(30_000);
      reference.add(value);
      set.add(value);
    }
    expect(set.size).toBe(reference.size);
    for (let value = 0; value < 42_001; value++)
      if (set.has(value) !== reference.has(value)) expect.fail(`wrong about ${value}`);
  });
});
