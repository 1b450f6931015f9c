import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { near } from './raw-rivals.ts';
import { type Rival, rivalsOf } from './rivals.exam.ts';

describe('what may have been decided between an instant and a refusal', () => {
  const rival = fc.oneof(
    {
      weight: 9,
      arbitrary: fc
        .tuple(fc.nat({ max: 20 }), fc.nat({ max: 6 }))
        .map(([begin, length]): Rival => [begin, begin + length]),
    },
    { weight: 1, arbitrary: fc.constant([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as Rival) },
  );

  it('is the same as by asking all', () => {
    const law = fc.property(
      fc.array(rival, { maxLength: 12 }),
      fc.nat(12),
      fc.nat(20),
      fc.nat(8),
      (all, index, from, back) => {
        const rivals = rivalsOf(all);
        const refusal = { from, to: from + 2, index };
        const plain = [...rivals.from.keys()].filter(
          (i) => i !== index && (rivals.from[i] as number) <= from + 2 && (rivals.to[i] as number) >= from - back,
        );
        expect([...near(refusal, rivals, from - back)].sort((a, b) => a - b)).toEqual(plain);
      },
    );
    fc.assert(law, { numRuns: 300, seed: 9 });
  });

  it('is found without asking all again for each refusal', () => {
    const rivals = rivalsOf(Array.from({ length: 10_000 }, (_, i): Rival => [i, i + 3]));
    let reads = 0;
    const counting = new Proxy(rivals.to, {
      get: (all, key) => {
        reads += 1;
        return Reflect.get(all, key);
      },
    });
    const counted = { ...rivals, to: counting };
    const before = (from: number) => [...near({ from, to: from + 1, index: from }, counted, from - 5)].length;
    expect(before(9_000)).toBe(9);
    reads = 0;
    expect([100, 500, 5_000].map(before)).toEqual([9, 9, 9]);
    expect(reads).toBeLessThan(100);
  });
});
