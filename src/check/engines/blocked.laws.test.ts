import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fixedWindowPenalty } from '../readings/fixed-window-anchored.ts';
import { type Attempt, admitted, boundsFor, maybe, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { Part, type Slice } from '../slice.ts';
import { mayHaveBlocked } from './blocked.ts';

/*
 * Against every way in which few attempts can have been decided: when, in which order, and what became of those that nobody knows.
 */

const W = 3;
const attempt: fc.Arbitrary<Attempt> = fc
  .tuple(fc.constantFrom(admitted, refused, refused, maybe), fc.nat({ max: 9 }), fc.nat({ max: 2 }))
  .map(([make, from, length]) => make(from, from + length));
const attempts = fc.array(attempt, { minLength: 1, maxLength: 5 });

type Fate = 'counted' | 'refused' | 'neither';
interface Decision {
  readonly at: number;
  readonly fate: Fate;
}

const fatesOf: Readonly<Record<number, readonly Fate[]>> = {
  [Part.admitted]: ['counted'],
  [Part.refused]: ['refused'],
  [Part.maybe]: ['counted', 'refused', 'neither'],
};

/** Whether some order of decisions gives each refusal a cause: `max` counted, or another refusal before it, within W. */
function canAllBeExplained(slice: Slice, max: number): boolean {
  const isExplained = ({ at }: Decision, before: readonly Decision[]) => {
    const lately = before.filter((one) => one.at >= at - W);
    return (
      lately.filter(({ fate }) => fate === 'counted').length >= max || lately.some(({ fate }) => fate === 'refused')
    );
  };
  const goesOn = (made: readonly Decision[], left: readonly number[], since: number): boolean => {
    if (left.length === 0) return true;
    return left.some((i) => {
      const rest = left.filter((other) => other !== i);
      const [from, to] = [Math.max(since, slice.from[i] as number), slice.to[i] as number];
      for (let at = from; at <= to; at++)
        for (const fate of fatesOf[slice.part[i] as number] ?? []) {
          const decision = { at, fate };
          if (fate === 'refused' && !isExplained(decision, made)) continue;
          if (goesOn([...made, decision], rest, at)) return true;
        }
      return false;
    });
  };
  return goesOn([], [...slice.part.keys()], 0);
}

it('of refusals that each may block for a window none is accused that can have had a cause', () => {
  let accused = 0;
  fc.assert(
    fc.property(attempts, fc.integer({ min: 1, max: 2 }), (all, max) => {
      const slice = sliceOf(all);
      const [first] = fixedWindowPenalty.unexplained(slice, boundsFor(max, W));
      if (first === undefined) return;
      accused += 1;
      expect(canAllBeExplained(slice, max)).toBe(false);
    }),
    { numRuns: 1_500 },
  );
  expect(accused).toBeGreaterThan(300);
});

it('refusals that overlap do not explain one another', () => {
  const all = [admitted(0), refused(5, 9), refused(6, 10), refused(6, 11), maybe(8, 12)];
  const slice = sliceOf(all);
  expect([...fixedWindowPenalty.unexplained(slice, boundsFor(3, 60))]).toEqual([1, 2, 3]);
  expect(fixedWindowPenalty.wrongfulRefusal(slice, boundsFor(3, 60), 1)).toMatchObject({
    rule: 'wrongful-refusal-penalty',
    refusal: 1,
    observed: 2,
    needed: 3,
    positions: [0, 2, 3, 4],
  });
  // The last and the one beside it may have been admitted before, and the others refused after it.
  expect([...fixedWindowPenalty.unexplained(sliceOf([...all, maybe(8, 12)]), boundsFor(3, 60))]).toEqual([]);
});

it('what may have blocked a refusal lies within windows before it, each within one of the next', () => {
  const slice = sliceOf([refused(0), admitted(1), refused(5), maybe(10), refused(12, 14), refused(14), refused(15)]);
  const chain = (refusal: number, longUs: number) => [...mayHaveBlocked(slice, boundsFor(2, longUs), refusal)];
  expect(chain(4, 1)).toEqual([4, 5]);
  expect(chain(4, 2)).toEqual([3, 4, 5]);
  expect(chain(4, 5)).toEqual([0, 2, 3, 4, 5]);
  expect(chain(6, 4)).toEqual([3, 4, 5, 6]);
});
