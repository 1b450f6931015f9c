import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../testing/share.ts';
import { firstUnplaceable, inOneOrder } from '../../readings/anchored-windows.exam.ts';
import { rivalsOf } from '../raw/rivals.exam.ts';
import { lastFitsNowhere } from './fit.ts';

const requests = fc.array(
  fc
    .tuple(fc.nat({ max: 16 }), fc.constantFrom(0, 0, 1, 1, 2, 4))
    .map(([from, length]) => ({ from, to: from + length })),
  { minLength: 2, maxLength: 10 },
);

it('exactly if no way to choose where windows begin holds the last of these, and one holds all before', () => {
  let proven = 0;
  const law = fc.property(requests, fc.constantFrom(1, 2, 3), fc.constantFrom(4, 5), (drawn, max, longUs) => {
    const terms = { max, shortUs: 4, longUs };
    const ordered = inOneOrder(drawn);
    const unfit = firstUnplaceable(ordered, terms);
    // Also where more are named than are needed, so that the last is another.
    for (const count of unfit < 0 ? [ordered.length] : [unfit, unfit + 1, unfit + 2]) {
      const named = drawn.toSorted((a, b) => a.from - b.from || a.to - b.to).slice(0, count);
      const [first, last] = [named[0], named.at(-1)];
      const isSure = first !== undefined && last !== undefined && first.to < last.from;
      const expected = unfit >= 0 && named.length === unfit + 1 && isSure;
      proven += expected ? 1 : 0;
      const rivals = rivalsOf(named.map(({ from, to }) => [from, to]));
      expect(lastFitsNowhere(named.toReversed(), rivals, terms)).toBe(expected);
    }
  });
  fc.assert(law, { numRuns: runs(20_000), seed: 4 });
  expect(proven).toBeGreaterThan(runs(20_000) / 10);
});
