import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { risingOrder } from '../evidence/rows.ts';
import { admitted, halves, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { risingCopy } from '../rising.ts';
import { countBelow, countedOf, countUpTo, mostAtOnce } from './counted.ts';
import { countedSince, countedSinceAny, mostWithin } from './last-window.ts';
import { Peaks } from './peaks.ts';
import { intervals, law, small } from './small-numbers.exam.ts';
import { SmallestLast } from './smallest-last.ts';

const numbers = fc.array(small, { maxLength: 20 });
const rising = (values: readonly number[]) => Float64Array.from(values).sort();

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

it('peaks are the largest of any neighbours', () => {
  law([fc.array(fc.integer({ min: -9, max: 9 }), { maxLength: 20 }), small, small], (values, from, length) => {
    const end = Math.min(values.length, from + length);
    const peaks = new Peaks(Int32Array.from(values));
    expect(peaks.within(from, end)).toBe(Math.max(...values.slice(from, end)));
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
        const most = Math.max(...halves(from, to).map(at));
        // 0 is enough: always looks as finely as it can.
        expect(mostWithin(slice, countedOf(slice, refusedToo), i, back, 0)).toBe(most);
        const looked = others.filter((k) => (slice.from[k] as number) <= to && (slice.to[k] as number) >= from - back);
        expect(countedSince(slice, from - back, i, refusedToo)).toEqual(looked);
        const coarse = mostWithin(slice, countedOf(slice, refusedToo), i, back, 99);
        expect(coarse).toBe(looked.length);
      }
    });
  });

  it('since any of several refusals is what counted since one of them, each once', () => {
    const looks = fc.array(fc.record({ refusal: fc.nat({ max: 8 }), sinceUs: small }), { minLength: 1, maxLength: 5 });
    law([attempts, looks, fc.boolean()], (all, some, refusedToo) => {
      const slice = sliceOf(all);
      const within = some.map((look) => ({ ...look, refusal: look.refusal % slice.size, refusedToo }));
      const counts = (i: number) => refusedToo || slice.part[i] !== 1;
      const found = within.flatMap(({ refusal, sinceUs }) => [
        ...countedSince(slice, sinceUs, refusal, refusedToo),
        ...(counts(refusal) && (slice.to[refusal] as number) >= sinceUs ? [refusal] : []),
      ]);
      expect(countedSinceAny(slice, within)).toEqual([...new Set(found)].sort((a, b) => a - b));
    });
  });

  it('is told exactly in a proof, however many began meanwhile', () => {
    const burst = fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 30 })), { minLength: 150, maxLength: 200 });
    fc.assert(
      fc.property(burst, fc.nat({ max: 20 }), (all, back) => {
        const slice = sliceOf([...all.map(([from, length]) => admitted(from, from + length)), refused(20, 50)]);
        const refusal = slice.part.indexOf(1);
        const at = (t: number) => all.filter(([from, length]) => from <= t && from + length >= t - back).length;
        const most = Math.max(...halves(20, 50).map(at));
        expect(mostWithin(slice, countedOf(slice, false), refusal, back)).toBe(most);
        // Asked again, with another look-back in between.
        mostWithin(slice, countedOf(slice, false), refusal, back + 1);
        expect(mostWithin(slice, countedOf(slice, false), refusal, back)).toBe(most);
      }),
      { numRuns: 30 },
    );
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
      expect(mostAtOnce(held, { from, to: from + length }, 0)).toBe(Math.max(...halves(from, from + length).map(at)));
    });
  });
});
