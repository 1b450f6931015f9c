import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coincident, Enclosing } from './cores.ts';
import { intervals, law } from './small-numbers.exam.ts';

describe('cores', () => {
  const coresOf = (all: readonly { from: number; to: number }[]) => {
    const open = all.filter(({ from, to }) => to > from);
    return {
      size: open.length,
      from: Float64Array.from(open, ({ from }) => from),
      to: Float64Array.from(open, ({ to }) => to),
      proof: open.map((_, i) => [i]),
    };
  };
  const halves = Array.from({ length: 40 }, (_, i) => i / 2);
  const open = (cores: ReturnType<typeof coresOf>, at: number) =>
    [...cores.from.keys()].filter((i) => (cores.from[i] as number) < at && at < (cores.to[i] as number));

  it('that hold at one instant are found when there is one', () => {
    law([intervals, fc.integer({ min: 1, max: 4 })], (all, size) => {
      const cores = coresOf(all);
      const found = coincident(cores, size);
      expect(found !== undefined).toBe(halves.some((at) => open(cores, at).length >= size));
      if (!found) return;
      expect(found.length).toBe(size);
      const latest = Math.max(...found.map((i) => cores.from[i] as number));
      expect(latest).toBeLessThan(Math.min(...found.map((i) => cores.to[i] as number)));
    });
  });

  it('hold throughout a time, the same ones, if there are enough at each instant of it and never more', () => {
    let held = 0;
    const long = fc.array(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 9 })), { minLength: 1, maxLength: 4 });
    const [begin, duration] = [fc.integer({ min: 2, max: 5 }), fc.nat({ max: 2 })];
    law([long, fc.integer({ min: 1, max: 3 }), begin, duration], (drawn, size, from, length) => {
      const all = drawn.map(([at, lasts]) => ({ from: at, to: at + lasts })).sort((a, b) => a.from - b.from);
      const cores = coresOf(all);
      const enclosing = new Enclosing(cores);
      const within = halves.filter((at) => from <= at && at <= from + length);
      const throughout = enclosing.of(from, from + length);
      expect(throughout).toEqual(
        [...cores.from.keys()].filter((i) => within.every((at) => open(cores, at).includes(i))),
      );
      if (coincident(cores, size + 1)) return;
      const areEnough = within.every((at) => open(cores, at).length >= size);
      expect(enclosing.areThere(from, from + length, size)).toBe(areEnough);
      expect(throughout.length >= size).toBe(areEnough);
      if (areEnough) held += 1;
    });
    expect(held).toBeGreaterThan(0);
  });
});
