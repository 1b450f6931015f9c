import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { fixedWindow, fixedWindowAligned } from '../readings/fixed-window.ts';
import { admitted, boundsFor, sliceOf } from '../readings/sample-attempts.exam.ts';
import { Dial, type Saying } from './arcs.ts';

const W = 4;
/** A shorter reach than the difference between any two instants of these histories. */
const NEARLY = 0.25;

type Interval = readonly [from: number, to: number];

/** Whether requests can be divided among windows of `max` that begin at `phase` + kW: tried one request after another. */
function canBeDivided(intervals: readonly Interval[], max: number, phase: number): boolean {
  const held = new Map<number, number>();
  const placed = (next: number): boolean => {
    const interval = intervals[next];
    if (interval === undefined) return true;
    const [first, last] = interval.map((at) => Math.floor((at - phase) / W)) as [number, number];
    for (let window = first; window <= last; window++) {
      const before = held.get(window) ?? 0;
      if (before >= max) continue;
      held.set(window, before + 1);
      if (placed(next + 1)) return true;
      held.set(window, before);
    }
    return false;
  };
  return placed(0);
}

/** Phases on and between all instants of the histories. */
const PHASES = Array.from({ length: 8 * W }, (_, i) => i / 8);
const history = fc.record({
  max: fc.constantFrom(1, 2, 3),
  intervals: fc.array(
    fc
      .tuple(fc.nat({ max: 20 }), fc.constantFrom(0, 0, 1, 1, 2, 5))
      .map(([from, length]): Interval => [from, from + length]),
    { minLength: 2, maxLength: 14 },
  ),
});

describe('windows of N cannot hold what was admitted', () => {
  const readings = [
    { reading: fixedWindow, phases: PHASES },
    { reading: fixedWindowAligned, phases: [0] },
  ];
  it.each(readings)('exactly if no division among windows does: $reading.name', ({ reading, phases }) => {
    const law = fc.property(history, ({ max, intervals }) => {
      const slice = sliceOf(intervals.map(([from, to]) => admitted(from, to)));
      const isRefuted = reading.overAdmission(slice, boundsFor(max, W)) !== undefined;
      const can = (give: number) => {
        const given = intervals.map(([from, to]): Interval => [from - give, to + give]);
        return phases.some((phase) => canBeDivided(given, max, phase));
      };
      if (isRefuted) expect(can(0)).toBe(false);
      else expect(can(NEARLY)).toBe(true);
    });
    fc.assert(law, { numRuns: runs(2_000) });
  });
});

describe('a proof that windows can begin nowhere', () => {
  const within = (from: number, to: number, windows?: number): Saying => ({
    says: 'boundary-within',
    from,
    to,
    ...(windows !== undefined && { windows }),
    draft: () => ({ says: 'boundary-within', fromUs: from, toUs: to, positions: [] }),
  });
  const proof = (...sayings: readonly Saying[]) => {
    const dial = new Dial(60);
    const done = sayings.map((saying) => dial.take(saying));
    return { done, kept: dial.irreducible() };
  };

  it('names none about several windows where simpler ones show it, whichever came first', () => {
    const [simple, several, last] = [within(0, 10), within(5, 15, 2), within(20, 30)];
    for (const first of [
      [simple, several],
      [several, simple],
    ])
      expect(proof(...first, last)).toEqual({ done: [false, false, true], kept: [simple, last] });
    expect(proof(several, last)).toEqual({ done: [false, true], kept: [several, last] });
  });

  it('needs nothing that leaves the whole circle', () => {
    expect(proof(within(0, 60), within(-10, 90), within(3, 9), within(12, 14)).kept).toEqual(
      [within(3, 9), within(12, 14)].map((saying) => expect.objectContaining({ from: saying.from })),
    );
  });

  it('is what is left after trying to spare each, the last about several windows first', () => {
    let refuted = 0;
    const arc = fc.tuple(fc.nat({ max: 59 }), fc.integer({ min: 5, max: 40 }), fc.constantFrom(1, 1, 2, 3, 0));
    const refusedIn = (from: number, to: number): Saying => ({ ...within(from, to), says: 'no-boundary-within' });
    const law = fc.property(fc.array(arc, { minLength: 2, maxLength: 12 }), (arcs) => {
      const dial = new Dial(60);
      for (const [from, length, windows] of arcs)
        dial.take(windows === 0 ? refusedIn(from, from + length) : within(from, from + length, windows));
      if (dial.left.length > 0) return;
      refuted += 1;
      const leavesNothing = (some: readonly Saying[]) => {
        const other = new Dial(60);
        for (const saying of some) other.take(saying);
        return other.left.length === 0;
      };
      let kept: readonly Saying[] = dial.sayings;
      for (const windows of [3, 2, 1])
        for (const saying of dial.sayings) {
          const fewer = kept.filter((one) => one !== saying);
          if ((saying.windows ?? 1) === windows && leavesNothing(fewer)) kept = fewer;
        }
      expect(dial.irreducible()).toEqual(kept);
    });
    fc.assert(law, { numRuns: runs(2_000), seed: 5 });
    expect(refuted).toBeGreaterThan(runs(2_000) / 10);
  });

  it('is found without trying to spare each of a thousand that say ever more', () => {
    let reads = 0;
    const counted = (from: number, to: number): Saying =>
      Object.defineProperty({ ...within(from, to) }, 'from', {
        get: () => {
          reads += 1;
          return from;
        },
      });
    const dial = new Dial(60);
    for (let i = 1; i <= 1_000; i++) dial.take(counted(0, 30 - i / 100));
    expect(dial.take(within(25, 50))).toBe(true);
    reads = 0;
    expect(dial.irreducible().map(({ to }) => to)).toEqual([20, 50]);
    // One by one, half a million.
    expect(reads).toBeLessThan(30_000);
  });
});
