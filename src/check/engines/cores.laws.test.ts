import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Coverage, chosenCores, coincident } from './cores.ts';
import { intervals, law, small } from './small-numbers.exam.ts';

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
      const chosen = chosenCores(cores, found);
      expect(chosen.proof).toEqual(found.map((i) => [i]));
      expect(Math.max(...chosen.from)).toBeLessThan(Math.min(...chosen.to));
      expect(chosen.size).toBe(size);
    });
  });

  it('cover a time where at each instant of it there are enough', () => {
    law([intervals, fc.integer({ min: 1, max: 3 }), small, fc.nat({ max: 4 })], (all, depth, from, length) => {
      const cores = coresOf(all);
      const within = halves.filter((at) => from <= at && at <= from + length);
      expect(new Coverage(cores, depth).covers(from, from + length)).toBe(
        within.every((at) => open(cores, at).length >= depth),
      );
    });
  });
});
