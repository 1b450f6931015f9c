import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Arcs } from '../certificate.ts';
import { Pairs } from '../pairs.ts';
import { admitted, boundsFor, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { risingCopy } from '../rising.ts';
import { risingOrder } from '../rows.ts';
import { holdsArcs, type RawArc } from '../verify/arcs.ts';
import { admittedOf, relaxed, unnested } from './admitted.ts';
import { type ArcSet, arcSet, exclude, intersect, touches, wholeCircle } from './circle.ts';
import { Coverage, chosenCores, coincident } from './cores.ts';
import { countBelow, countedOf, countUpTo, mostAtOnce } from './counted.ts';
import { crowdFrom, crowds, tightCrowd } from './crowd.ts';
import { irreducible } from './irreducible.ts';
import { countedSince, mostWithin } from './last-window.ts';
import { placementConflict } from './placement.ts';
import { SmallestLast } from './smallest-last.ts';
import { crowdedLog, indicesOf, overdrawnBucket } from './spacing.ts';

/*
 * The quick ways of the engines against plain ones, on small whole numbers, so that equal ones are common.
 */

const small = fc.nat({ max: 12 });
const numbers = fc.array(small, { maxLength: 20 });
const intervals = fc
  .array(fc.tuple(small, fc.nat({ max: 5 })), { maxLength: 10 })
  .map((all) => all.map(([from, length]) => ({ from, to: from + length })).sort((a, b) => a.from - b.from));
const rising = (values: readonly number[]) => Float64Array.from(values).sort();
const admittedIn = (all: readonly { from: number; to: number }[]) =>
  admittedOf(sliceOf(all.map(({ from, to }) => admitted(from, to))));
const RUNS = { numRuns: 150 };
const law = <T extends [unknown, ...unknown[]]>(
  arbitraries: { [K in keyof T]: fc.Arbitrary<T[K]> },
  holds: (...values: T) => void,
) =>
  fc.assert(
    fc.property(...(arbitraries as [fc.Arbitrary<unknown>]), holds as unknown as (value: unknown) => void),
    RUNS,
  );

describe('counts in rising lists', () => {
  it('are how many are less, or no more', () => {
    law([numbers, small], (values, value) => {
      const list = rising(values);
      expect(countUpTo(list, value)).toBe(values.filter((one) => one <= value).length);
      expect(countBelow(list, value)).toBe(values.filter((one) => one < value).length);
    });
  });

  it('are rising copies of what need not rise, however unordered', () => {
    law([numbers], (values) => {
      expect([...risingCopy(Float64Array.from(values))]).toEqual([...rising(values)]);
      const seq = Float64Array.from(values, (_, i) => (i * 7) % 5);
      const order = [...values.keys()].sort(
        (a, b) => (values[a] as number) - (values[b] as number) || (seq[a] as number) - (seq[b] as number) || a - b,
      );
      expect([...risingOrder(Float64Array.from(values), seq)]).toEqual(order);
    });
    const falling = Float64Array.from({ length: 500 }, (_, i) => 500 - i);
    expect([...risingCopy(falling)]).toEqual([...falling].reverse());
    expect([...risingOrder(falling, falling)]).toEqual([...falling.keys()].reverse());
    expect(falling[0]).toBe(500);
  });

  it('keep the greatest few', () => {
    law([numbers, fc.integer({ min: 1, max: 5 })], (values, size) => {
      const heap = new SmallestLast(size);
      values.forEach((value, i) => {
        heap.add(value);
        const so = values.slice(0, i + 1).sort((a, b) => b - a);
        expect(heap.smallest).toBe(so[size - 1] ?? Number.NEGATIVE_INFINITY);
      });
    });
  });
});

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

describe('stretches', () => {
  const max = fc.integer({ min: 1, max: 3 });
  const windowUs = fc.integer({ min: 1, max: 6 });

  it('too dense for a log end with the first that it cannot decide in time, and need no more than their own', () => {
    law([intervals, max, windowUs], (all, n, w) => {
      const agreeable = relaxed(admittedIn(all));
      const earliest: number[] = [];
      for (const [k, { from }] of all.entries())
        earliest.push(Math.max(from, earliest[k - 1] ?? from, (earliest[k - n] ?? from - w) + w));
      const late = earliest.findIndex((decided, k) => decided > (agreeable.to[k] as number));
      const found = crowdedLog(agreeable, n, w);
      expect(found?.last ?? -1).toBe(late);
      if (!found) return;
      const { first } = found;
      const span = (agreeable.to[late] as number) - (agreeable.from[first] as number);
      expect(late - first + 1).toBeGreaterThan(n * (Math.floor(span / w) + 1));
      expect(earliest[first]).toBe(all[first]?.from);
      expect(indicesOf(found)).toEqual(Array.from({ length: late - first + 1 }, (_, i) => first + i));
    });
  });

  it('that overdraw a bucket are the shortest that end first', () => {
    law([intervals, max, windowUs, fc.nat({ max: 2 })], (all, capacity, token, slack) => {
      const agreeable = relaxed(admittedIn(all));
      const overdrawn = (first: number, last: number) => {
        const span = (agreeable.to[last] as number) - (agreeable.from[first] as number);
        return (last - first + 1 - capacity) * token > span + slack;
      };
      const indices = [...all.keys()];
      const last = indices.find((end) => indices.some((first) => first <= end && overdrawn(first, end)));
      const found = overdrawnBucket(agreeable, capacity, token, slack);
      expect(found?.last).toBe(last);
      if (!found || last === undefined) return;
      expect(overdrawn(found.first, last)).toBe(true);
      // Of those before it that leave the bucket as empty, the last is named.
      const owed = (k: number) => (agreeable.from[k] as number) - k * token;
      const most = Math.max(...indices.slice(0, last + 1).map(owed));
      expect(found.first).toBe(indices.slice(0, last + 1).findLast((k) => owed(k) === most));
    });
  });
});

describe('windows that begin at least six apart', () => {
  const W = 6;

  /** By trying all: numbers are whole, and so are beginnings where there are any. */
  function canBegin(spans: readonly { readonly fromUs: number; readonly toUs: number }[], since = -W): boolean {
    const [first, ...others] = spans.toSorted((a, b) => a.toUs - b.toUs);
    if (!first) return true;
    for (let at = Math.max(first.fromUs, since + W); at <= first.toUs; at++)
      if (
        canBegin(
          others.filter(({ fromUs, toUs }) => at < fromUs || at > toUs),
          at,
        )
      )
        return true;
    return false;
  }

  const bursts = fc
    .array(fc.tuple(fc.nat({ max: 24 }), fc.nat({ max: 2 })), { minLength: 6, maxLength: 14 })
    .map((all) => all.map(([from, length]) => ({ from, to: from + length })).sort((a, b) => a.from - b.from));

  it('cannot begin within each of some spans where this is said, nor is one of them spared', () => {
    let refuted = 0;
    law([bursts, fc.integer({ min: 1, max: 2 })], (all, max) => {
      const slice = sliceOf(all.map(({ from, to }) => admitted(from, to)));
      const spans: { fromUs: number; toUs: number }[] = [];
      crowds(admittedOf(slice), max + 1, W, (i, toUs) => {
        spans.push({ fromUs: slice.from[i] as number, toUs });
        return false;
      });
      const arcs = placementConflict(slice, boundsFor(max, W));
      expect(arcs === undefined).toBe(canBegin(spans));
      if (!arcs) return;
      refuted += 1;
      expect(canBegin(arcs)).toBe(false);
      for (const arc of arcs) expect(canBegin(arcs.filter((one) => one !== arc))).toBe(true);
      const raw = (some: typeof arcs): RawArc[] =>
        some.map(({ positions }) => ({
          says: 'boundary-within',
          decided: positions.map((i) => ({ from: slice.from[i] as number, to: slice.to[i] as number })),
        }));
      const verified = (some: typeof arcs) =>
        holdsArcs({ rule: 'fixed-window-anchored-arcs' } as Arcs, raw(some), {
          ...{ max, windowUs: W, shortUs: W, longUs: W, slackUs: 0 },
          slackAt: () => 0,
        });
      expect(verified(arcs)).toBe(true);
      expect(verified(arcs.slice(1))).toBe(false);
    });
    expect(refuted).toBeGreaterThan(0);
  });
});

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

describe('what may have counted', () => {
  const attempts = fc
    .array(fc.tuple(small, fc.nat({ max: 5 }), fc.boolean()), { minLength: 1, maxLength: 9 })
    .map((all) => all.map(([from, length, isRefused]) => (isRefused ? refused : admitted)(from, from + length)));

  it('at one instant is the most over all instants, itself left out', () => {
    law([attempts, fc.nat({ max: 6 }), fc.boolean()], (all, back, refusedToo) => {
      const slice = sliceOf(all);
      for (let i = 0; i < slice.size; i++) {
        const [from, to] = [slice.from[i] as number, slice.to[i] as number];
        const others = [...slice.part.keys()].filter((k) => k !== i && (refusedToo || slice.part[k] !== 1));
        const at = (t: number) =>
          others.filter((k) => (slice.from[k] as number) <= t && (slice.to[k] as number) >= t - back).length;
        const most = Math.max(...halvesBetween(from, to).map(at));
        // 0 is enough: always looks as finely as it can.
        expect(mostWithin(slice, countedOf(slice, refusedToo), i, back, 0)).toBe(most);
        const looked = others.filter((k) => (slice.from[k] as number) <= to && (slice.to[k] as number) >= from - back);
        expect(countedSince(slice, from - back, i, refusedToo)).toEqual(looked);
        const coarse = mostWithin(slice, countedOf(slice, refusedToo), i, back, 99);
        expect(coarse).toBe(looked.length);
      }
    });
  });

  it('is counted coarsely, and no less, where very many began meanwhile', () => {
    const many = [refused(0, 100), ...Array.from({ length: 65 }, (_, i) => admitted(i + 1, i + 1))];
    const fine = sliceOf(many.slice(0, 65));
    const coarse = sliceOf(many);
    expect(mostWithin(fine, countedOf(fine, false), 0, 0, 1)).toBe(1);
    expect(mostWithin(coarse, countedOf(coarse, false), 0, 0, 1)).toBe(65);
    const held = (count: number) => ({
      starts: Float64Array.from({ length: count }, (_, i) => i + 1),
      ends: Float64Array.from({ length: count }, (_, i) => i + 1),
    });
    expect(mostAtOnce(held(64), { from: 0, to: 100 }, 1)).toBe(1);
    expect(mostAtOnce(held(65), { from: 0, to: 100 }, 1)).toBe(65);
    expect(mostAtOnce(held(64), { from: 0, to: 100 }, 65)).toBe(64);
  });

  it('is held at one instant by the most over all instants', () => {
    law([intervals, small, fc.nat({ max: 5 })], (all, from, length) => {
      const held = { starts: rising(all.map((one) => one.from)), ends: rising(all.map((one) => one.to)) };
      const at = (t: number) => all.filter((one) => one.from <= t && t <= one.to).length;
      expect(mostAtOnce(held, { from, to: from + length }, 0)).toBe(
        Math.max(...halvesBetween(from, from + length).map(at)),
      );
    });
  });
});

const halvesBetween = (from: number, to: number) => Array.from({ length: 2 * (to - from) + 1 }, (_, i) => from + i / 2);

describe('pairs', () => {
  it('are numbered from 1 as they come, however many', () => {
    const pairs = new Pairs();
    const numbered = new Map<string, number>();
    for (let i = 0; i < 6_000; i++) {
      const [first, second] = [(i * 37) % 101, (i * 91) % 57];
      const known = numbered.get(`${first} ${second}`) ?? numbered.size + 1;
      numbered.set(`${first} ${second}`, known);
      expect(pairs.of(first, second)).toBe(known);
    }
    expect(pairs.size).toBe(numbered.size);
    expect(numbered.size).toBeGreaterThan(4_096);
    for (const [name, number] of numbered) expect(`${pairs.first(number)} ${pairs.second(number)}`).toBe(name);
    expect(new Pairs().of(2 ** 32 - 1, 2 ** 31)).toBe(1);
  });
});
