import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type LookBack, nearAny } from '../raw/raw-rivals.ts';
import { type Rival, rivalsOf } from '../raw/rivals.exam.ts';
import { mostWithin, timesOf } from './times.ts';

const rival = fc
  .tuple(fc.nat({ max: 60 }), fc.nat({ max: 30 }), fc.constantFrom(undefined, 'refused', 'perhaps'))
  .map(([from, length, what]): Rival => [from, from + length, what as 'refused']);

it('what is near any of several is what is near one of them, each once', () => {
  const look = fc
    .tuple(fc.nat({ max: 60 }), fc.nat({ max: 30 }), fc.nat({ max: 40 }))
    .map(([from, length, back]): LookBack => ({ from, to: from + length, since: from - back }));
  fc.assert(
    fc.property(fc.array(rival, { maxLength: 12 }), fc.array(look, { maxLength: 4 }), (all, looks) => {
      const isNear = ([from, to]: Rival) => looks.some((one) => from <= one.to && to >= one.since);
      const found = [...nearAny(looks, rivalsOf(all))];
      expect(found.toSorted((a, b) => a - b)).toEqual([...all.keys()].filter((i) => isNear(all[i] as Rival)));
    }),
  );
});

it('the most at one instant is the same, however many began within the interval', () => {
  // One or two whole blocks of begins, or none.
  const burst = fc
    .integer({ min: 1, max: 700 })
    .chain((length) => fc.array(rival, { minLength: length, maxLength: length }));
  fc.assert(
    fc.property(burst, fc.nat({ max: 40 }), fc.nat({ max: 40 }), fc.boolean(), (all, from, back, refusedToo) => {
      const counted = all.filter(([, , what]) => refusedToo || what !== 'refused');
      const countAt = (t: number) => counted.filter(([begin, end]) => begin <= t && end >= t - back).length;
      const to = from + 30;
      const instants = [from, ...counted.map(([begin]) => begin).filter((begin) => begin > from && begin <= to)];
      const most = Math.max(...new Set(instants.map(countAt)));
      expect(mostWithin(timesOf(rivalsOf(all), refusedToo), { from, to }, back)).toBe(most);
    }),
    { numRuns: 30 },
  );
});
