import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NumberSet } from './number-set.ts';

const numbers = fc.array(fc.nat({ max: 40 }));
const setOf = (members: readonly number[]) => {
  const set = new NumberSet();
  for (const member of members) set.add(member);
  return set;
};

describe('NumberSet', () => {
  it('says of every number what a Set says', () => {
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
});
