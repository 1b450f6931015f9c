import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Part, type Slice } from '../evidence/slice.ts';
import { fixedWindowAnchored, fixedWindowPenalty } from '../readings/fixed-window-anchored.ts';
import { type Attempt, admitted, boundsFor, maybe, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { slidingCounter } from '../readings/sliding-counter.ts';
import { slidingLogCountingRefused } from '../readings/sliding-log-counting-refused.ts';
import { mayHaveBlocked, withinWindow } from './blocked.ts';

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

/** Whether what was decided shortly before a refusal is a cause. */
type Cause = (lately: readonly Decision[], max: number) => boolean;

const few = (lately: readonly Decision[], fate: Fate) => lately.filter((one) => one.fate === fate).length;
/** `max` counted, or another refusal that blocks. */
const blocked: Cause = (lately, max) => few(lately, 'counted') >= max || few(lately, 'refused') > 0;
/** `max` counted, refused ones included. */
const countedToo: Cause = (lately, max) => few(lately, 'counted') + few(lately, 'refused') >= max;

/** Whether some order of decisions gives each refusal a cause within so many windows before it. */
function canAllBeExplained(slice: Slice, max: number, isCause: Cause, windows: number): boolean {
  const isExplained = ({ at }: Decision, before: readonly Decision[]) =>
    isCause(
      before.filter((one) => one.at >= at - windows * W),
      max,
    );
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

it.each([
  ['block for a window', fixedWindowPenalty, blocked, 1],
  ['count for a window', slidingLogCountingRefused, countedToo, 1],
  ['count for two windows', slidingCounter, countedToo, 2],
] as const)(
  'of refusals that each may %s none is accused that can have had a cause',
  (_, reading, isCause, windows) => {
    let accused = 0;
    fc.assert(
      fc.property(attempts, fc.integer({ min: 1, max: 2 }), (all, max) => {
        const slice = sliceOf(all);
        const [first] = reading.unexplained(slice, boundsFor(max, W));
        if (first === undefined) return;
        accused += 1;
        expect(canAllBeExplained(slice, max, isCause, windows)).toBe(false);
      }),
      { numRuns: 1_500 },
    );
    expect(accused).toBeGreaterThan(300);
  },
);

it('refusals of one burst do not explain one another by counting', () => {
  const burst = [admitted(0, 2), refused(0, 2), refused(0, 3), refused(1, 3), refused(1, 3)];
  for (const [reading, lookBackUs] of [[slidingLogCountingRefused, 60] as const, [slidingCounter, 120] as const]) {
    const slice = sliceOf(burst);
    expect([...reading.unexplained(slice, boundsFor(2, 60))]).toEqual([1, 2, 3, 4]);
    expect(reading.wrongfulRefusal(slice, boundsFor(2, 60), 1)).toMatchObject({
      ...{ refusal: 1, observed: 1, needed: 2, lookBackUs, positions: [0, 2, 3, 4] },
    });
    // A second one may have been admitted before the others were refused.
    expect([...reading.unexplained(sliceOf([...burst, maybe(3)]), boundsFor(2, 60))]).toEqual([]);
  }
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

it('refusals of one burst are not tried where they are so many that a proof would take minutes', () => {
  const burst = (count: number) => sliceOf([admitted(0, 9), ...Array.from({ length: count }, () => refused(0, 9))]);
  for (const reading of [slidingLogCountingRefused, slidingCounter]) {
    expect([...reading.unexplained(burst(200), boundsFor(2, 60))]).toHaveLength(200);
    expect([...reading.unexplained(burst(201), boundsFor(2, 60))]).toEqual([]);
  }
});

it('what may have blocked a refusal lies within windows before it, each within one of the next', () => {
  const slice = sliceOf([refused(0), admitted(1), refused(5), maybe(10), refused(12, 14), refused(14), refused(15)]);
  const chain = (refusal: number, longUs: number) => [
    ...mayHaveBlocked(slice, refusal, withinWindow(boundsFor(2, longUs))),
  ];
  expect(chain(4, 1)).toEqual([4, 5]);
  expect(chain(4, 2)).toEqual([3, 4, 5]);
  expect(chain(4, 5)).toEqual([0, 2, 3, 4, 5]);
  expect(chain(6, 4)).toEqual([3, 4, 5, 6]);
});

it('an admission between two refusals shows that the first blocks no more, where both are of exactly one bucket', () => {
  const proof = (...attempts: readonly Attempt[]) =>
    fixedWindowPenalty.inconsistent?.(sliceOf(attempts), boundsFor(3, 60));
  const full = [admitted(0), admitted(0), admitted(0), refused(1), refused(50)];
  expect(proof(...full, admitted(62), refused(63))).toMatchObject({
    rule: 'wrongful-refusal-anchored-penalty',
    refusal: 6,
    observed: 1,
    needed: 3,
  });
  expect(proof(...full, refused(63))).toBeUndefined();
  // The second refusal may have been decided after it, or the admission after the third.
  expect(proof(...full.slice(0, 4), refused(50, 70), admitted(62), refused(63))).toBeUndefined();
  expect(proof(...full, admitted(62, 64), refused(63))).toBeUndefined();
});

it('an admission shows that the first blocks no more only for as long as the clock does not seem to go back', () => {
  const nodes = boundsFor(3, 60, { shortUs: 58, longUs: 62, slackUs: 2 });
  const proof = (...attempts: readonly Attempt[]) => fixedWindowPenalty.inconsistent?.(sliceOf(attempts), nodes);
  const full = [admitted(0), admitted(0), admitted(0), refused(1), refused(50)];
  // The refusal at 50 blocks until 110, which for one node has come when for another it is 108.
  expect(proof(...full, admitted(110), refused(111))).toBeUndefined();
  expect(proof(...full, admitted(110), refused(112))).toBeUndefined();
  expect(proof(...full, admitted(110), refused(113))).toMatchObject({ refusal: 6, observed: 1, needed: 3 });
});

it('what is admitted after a window is over lies in the next, whichever of it was first', () => {
  const proof = (...attempts: readonly Attempt[]) =>
    fixedWindowAnchored.inconsistent?.(sliceOf(attempts), boundsFor(2, 60));
  const three = [100, 100, 100].map((at) => admitted(at, at + 2));
  expect(proof(admitted(0), ...three)).toMatchObject({
    rule: 'fixed-window-anchored-chain',
    observed: 3,
    possible: 2,
    positions: [1, 2, 3],
  });
  expect(proof(admitted(0), ...three.slice(1))).toBeUndefined();
  // The first window may have been open still when one of them was decided, or have begun as late as they were.
  expect(proof(admitted(0), admitted(59, 102), ...three.slice(1))).toBeUndefined();
  expect(proof(admitted(0, 45), ...three)).toBeUndefined();
});
