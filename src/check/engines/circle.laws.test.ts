import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ArcSet, arcSet, exclude, intersect, meet, touches, wholeCircle } from './circle.ts';
import { law } from './small-numbers.exam.ts';

describe('arcs of a circle of 12', () => {
  const W = 12;
  const arc = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat({ max: 14 }));
  /** Halves, so that open ends are told from closed ones. */
  const points = Array.from({ length: 2 * W + 1 }, (_, i) => i / 2);
  const has = (set: ArcSet, at: number) => set.some(([from, to]) => from <= at && at <= to);
  /** Whether a point lies within an arc, or at its ends where these belong to it. */
  const isWithin = (at: number, from: number, to: number, closed: boolean) =>
    [-4, -3, -2, -1, 0, 1, 2, 3, 4].some((turns) => {
      const here = at + turns * W;
      return closed ? from <= here && here <= to : from < here && here < to;
    });

  it('are cut, met and taken away point by point', () => {
    law([arc, arc], ([a, length], [b, other]) => {
      const one = arcSet(a, a + length, W);
      const two = arcSet(b, b + other, W);
      const both = intersect(one, two);
      const rest = exclude(one, b, b + other, W);
      for (const at of points) {
        expect(has(one, at)).toBe(length >= W || isWithin(at, a, a + length, true));
        expect(has(both, at)).toBe(has(one, at) && has(two, at));
        expect(has(rest, at)).toBe(has(one, at) && !(other > W || isWithin(at, b, b + other, false)));
      }
      for (const [set, other] of [
        [one, two],
        [one, rest],
        [rest, two],
        [both, rest],
      ] as const)
        expect(meet(set, other)).toBe(intersect(set, other).length > 0);
      for (const set of [one, both, rest])
        for (const [i, [from, to]] of set.entries()) {
          expect(0 <= from && from <= to && to <= W).toBe(true);
          if (i > 0) expect(from).toBeGreaterThanOrEqual(set[i - 1]?.[0] ?? 0);
        }
      if (length > 0 && other > 0) {
        const quarters = Array.from({ length: 8 * W }, (_, i) => i / 8);
        const met = quarters.some((at) => has(one, at) && isWithin(at, b, b + other, false));
        expect(touches(one, b, b + other, W)).toBe(other >= W || met);
      }
    });
    expect(wholeCircle(W)).toEqual([[0, 12]]);
    expect(arcSet(0, 3, W)).toEqual([
      [0, 3],
      [12, 12],
    ]);
    expect(arcSet(10, 13, W)).toEqual([
      [0, 1],
      [10, 12],
    ]);
  });
});
