import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { Part } from '../evidence/slice.ts';
import { honestLimiters, rarerLimiters } from '../readings/honest-limiters.exam.ts';
import { feasible } from '../readings/reading.exam.ts';
import { type Attempt, boundsFor, sliceOf } from '../readings/sample-attempts.exam.ts';
import { wasBlocked } from '../verify/rate/penalty-block.ts';
import { type Rival, rivalsOf } from '../verify/raw/rivals.exam.ts';
import { admittedWhileBlocked } from './penalty-block.ts';

const W = 4;
const blocking = Object.entries({ ...honestLimiters, ...rarerLimiters }).filter(([name]) => /^penalty/.test(name));

const historyOf = (most: number) =>
  fc.array(
    fc
      .tuple(
        fc.nat({ max: 10 }),
        fc.constantFrom(0, 0, 1, 2),
        fc.constantFrom(Part.admitted, Part.admitted, Part.refused, Part.refused, Part.maybe),
      )
      .map(([from, length, part]): Attempt => ({ from, to: from + length, part })),
    { minLength: 3, maxLength: most },
  );

describe('an admission while a refusal blocks', () => {
  it.each(blocking)('is nothing that an exhaustive search explains by a %s', (_, { make }) => {
    let found = 0;
    const law = fc.property(fc.constantFrom(1, 2), historyOf(5), (max, seen) => {
      if (!admittedWhileBlocked(sliceOf(seen), boundsFor(max, W))) return;
      found += 1;
      expect(feasible(make, seen, max, W, seen.length + 1)).toBe(false);
    });
    fc.assert(law, { numRuns: runs(3_000), seed: 9 });
    expect(found).toBeGreaterThan(runs(3_000) / 100);
  });

  it('is found if any three prove it, tried one after another', () => {
    const law = fc.property(historyOf(9), (seen) => {
      const found = admittedWhileBlocked(sliceOf(seen), boundsFor(1, W));
      const rivals = rivalsOf(
        seen.map(({ from, to, part }): Rival => {
          if (part === Part.admitted) return [from, to];
          return [from, to, part === Part.refused ? 'refused' : 'perhaps'];
        }),
      );
      const of = (part: Part) => seen.filter((one) => one.part === part);
      const any = of(Part.admitted).some((before) =>
        of(Part.refused).some((refusal) =>
          of(Part.admitted).some((after) => wasBlocked([before, refusal, after], rivals, { shortUs: W, backUs: 0 })),
        ),
      );
      expect(found !== undefined).toBe(any);
    });
    fc.assert(law, { numRuns: runs(3_000), seed: 10 });
  });
});
