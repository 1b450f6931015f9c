import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import type { Slice } from '../evidence/slice.ts';
import { type Attempt, admitted, boundsFor, sliceOf } from '../readings/sample-attempts.exam.ts';
import { boundariesRuledOut } from '../verify/rate/counter.ts';
import { lastBoundary, overfullAt } from './counter-overfull.ts';
import { sureIn } from './counter-sure.ts';

const WINDOW = 12;
const bounds = boundsFor(2, WINDOW);
const overfull = (slice: Slice, phase: number) =>
  overfullAt(sureIn(slice, { first: 0, end: slice.size, until: Number.POSITIVE_INFINITY }), bounds, phase);

/** Admitted attempts that may lie within one another. */
const attempts = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 0, max: 6 })), { maxLength: 14 })
  .map((all) => all.map(([from, length]) => admitted(from, from + length)));

/** limits.md 5.4 at one phase, in twelfths: the most that the last of some admitted ones certainly found, itself included. */
function mostFound(all: readonly Attempt[], phase: number): number {
  const found = all.map((last) => {
    const boundary = lastBoundary(last.from, phase, WINDOW);
    const within = all.filter(({ from, to }) => from >= boundary && to <= last.to);
    const before = all.filter(({ from, to }) => from >= boundary - WINDOW && to < boundary);
    const passed = last.to - boundary;
    return passed >= WINDOW ? 0 : within.length * WINDOW + before.length * (WINDOW - passed);
  });
  return Math.max(0, ...found);
}

it('a phase is ruled out exactly when too many were admitted in some window, also where attempts lie within others', () => {
  let ruledOut = 0;
  const law = fc.property(attempts, fc.integer({ min: 0, max: WINDOW - 1 }), (all, whole) => {
    const phase = whole + 0.5;
    const slice = sliceOf(all);
    const saying = overfull(slice, phase);
    const excess = mostFound(all, phase) - (bounds.max + 2) * WINDOW;
    // Rounding may decide only where it is exactly as much.
    if (excess !== 0) expect(saying !== undefined).toBe(excess > 0);
    if (!saying) return;
    ruledOut += 1;
    const { fromUs, toUs, positions } = saying.draft();
    const decided = positions.map((i) => ({ from: slice.from[i] as number, to: slice.to[i] as number }));
    expect(new Set(positions).size).toBe(positions.length);
    expect(boundariesRuledOut({ from: fromUs, to: toUs, decided }, bounds)).toBe(true);
  });
  fc.assert(law, { numRuns: runs(5_000), seed: 54 });
  expect(ruledOut).toBeGreaterThan(runs(5_000) / 20);
});

it('long answers keep their weight beside short ones', () => {
  const slow = Array.from({ length: 4 }, () => admitted(19, 23));
  // Four by 23, without the window before: beginnings between 11 and 19.
  expect(overfull(sliceOf([...slow, admitted(20)]), 4)?.draft()).toMatchObject({ toUs: 19 });
  expect(overfull(sliceOf([...slow.slice(1), admitted(20)]), 4)).toBeUndefined();
  // Two of the window before weigh 2 (1 − (23 − b) / 12): one from 17 on.
  const before = [admitted(8, 12), admitted(9)];
  const [fromUs, toUs] = [expect.closeTo(17, 3), 19];
  expect(overfull(sliceOf([...before, ...slow.slice(1)]), 6)?.draft()).toMatchObject({ fromUs, toUs });
});
