import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relaxed, unnested } from './admitted.ts';
import { crowdFrom, crowds, tightCrowd } from './crowd.ts';
import { irreducible } from './irreducible.ts';
import { admittedIn, intervals, law, unorderedIntervals } from './small-numbers.exam.ts';

describe('crowds', () => {
  const ends = (all: readonly { from: number; to: number }[], from: number) =>
    all
      .filter((one) => one.from >= from)
      .map(({ to }) => to)
      .sort((a, b) => a - b);

  it('are the soonest ended of those that began no earlier', () => {
    law([intervals, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 18 })], (all, size, within) => {
      const found: [number, number][] = [];
      crowds(admittedIn(all), size, within, (index, to) => {
        found.push([index, to]);
        const { members, from } = crowdFrom(admittedIn(all), index, to, size);
        expect(members.length).toBe(size);
        expect(members.every((i) => i >= index && (all[i]?.to ?? 99) <= to)).toBe(true);
        expect(from).toBe(all[index]?.from);
        return false;
      });
      const wanted = all.flatMap(({ from }, i): [number, number][] => {
        const end = ends(all, from)[size - 1];
        return end === undefined || end - from >= within || all[i - 1]?.from === from ? [] : [[i, end]];
      });
      expect(found).toEqual(wanted.reverse());
    });
  });

  it('are tight where they fit into less than so long', () => {
    law([intervals, fc.integer({ min: 1, max: 4 }), fc.nat({ max: 8 })], (all, size, within) => {
      const tight = all.filter(({ from }) => (ends(all, from)[size - 1] ?? Infinity) - from < within);
      const crowd = tightCrowd(admittedIn(all), size, within);
      expect(crowd?.from).toBe(tight.at(-1)?.from);
      if (crowd) expect(crowd.to - crowd.from).toBeLessThan(within);
    });
  });

  it('without those that can be spared prove what they proved', () => {
    law([intervals, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 6 })], (all, max, windowUs) => {
      const most = (span: number) => max * (Math.floor(span / windowUs) + 1);
      const proves = (members: readonly number[]) => {
        const chosen = members.map((i) => all[i] as { from: number; to: number });
        const span = Math.max(...chosen.map(({ to }) => to)) - Math.min(...chosen.map(({ from }) => from));
        return members.length > 0 && members.length > most(span);
      };
      const everyone = [...all.keys()];
      if (!proves(everyone)) return;
      const kept = irreducible(admittedIn(all), everyone, most);
      expect(proves(kept)).toBe(true);
      for (const one of kept) expect(proves(kept.filter((other) => other !== one))).toBe(false);
    });
  });

  it('are spared one by one: the first to begin, else the last to end, else any other', () => {
    const limits = fc.record({ max: fc.integer({ min: 1, max: 3 }), windowUs: fc.integer({ min: 1, max: 6 }) });
    law([unorderedIntervals, limits], (all, { max, windowUs }) => {
      const most = (span: number) => max * (Math.floor(span / windowUs) + 1);
      const begin = (i: number) => all[i]?.from as number;
      const end = (i: number) => all[i]?.to as number;
      const span = (members: readonly number[]) => Math.max(...members.map(end)) - Math.min(...members.map(begin));
      const withoutOne = (members: readonly number[]) => {
        const first = members.toSorted((a, b) => begin(a) - begin(b))[0];
        const last = members.toSorted((a, b) => end(b) - end(a))[0];
        const other = members.find((i) => i !== first && i !== last);
        return [first, last, other]
          .filter((one) => one !== undefined)
          .map((one) => members.filter((i) => i !== one))
          .find((fewer) => fewer.length > 0 && fewer.length > most(span(fewer)));
      };
      const everyone = [...all.keys()];
      let kept: readonly number[] = everyone;
      for (let fewer = withoutOne(kept); fewer; fewer = withoutOne(kept)) kept = fewer;
      const columns = { from: Float64Array.from(everyone, begin), to: Float64Array.from(everyone, end) };
      expect(irreducible({ ...admittedIn([]), ...columns }, everyone, most)).toEqual(kept);
    });
  });
});

describe('nested intervals', () => {
  it('are widened until ends rise, or left out where they hold another', () => {
    law([intervals], (all) => {
      const wide = relaxed(admittedIn(all));
      expect([...wide.to]).toEqual(all.map((_, i) => Math.max(...all.slice(0, i + 1).map(({ to }) => to))));
      const few = unnested(admittedIn(all));
      const kept = all.flatMap(({ to }, i) => (all.slice(i + 1).some((later) => later.to < to) ? [] : [i]));
      expect([...few.position]).toEqual(kept);
      expect([...few.from]).toEqual(kept.map((i) => all[i]?.from));
      expect([...few.to]).toEqual(kept.map((i) => all[i]?.to));
      expect(few.size).toBe(kept.length);
    });
  });
});
