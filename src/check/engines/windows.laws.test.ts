import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitted, refused, sliceOf } from '../readings/sample-attempts.exam.ts';
import { admittedOf } from './admitted.ts';
import { countedOf } from './counted.ts';
import { law } from './small-numbers.exam.ts';
import { bestWindow, type Chain, chainFrom } from './windows.ts';

describe('of the windows that may have been open when a refusal was decided', () => {
  const attempts = fc
    .array(fc.tuple(fc.nat({ max: 40 }), fc.nat({ max: 3 }), fc.nat({ max: 2 })), { minLength: 2, maxLength: 14 })
    .map((all) => all.map(([from, length, kind]) => (kind === 0 ? refused : admitted)(from, from + length)));

  it('the one counts in which most can have counted', () => {
    let several = 0;
    law([attempts, fc.integer({ min: 3, max: 5 }), fc.boolean()], (all, longUs, refusedToo) => {
      const slice = sliceOf(all);
      const counted = countedOf(slice, refusedToo);
      const chain = chainFrom(counted, admittedOf(slice), { shortUs: 3, longUs });
      if (!chain) return;
      const begins = [...chain.earliest].map((earliest, k) => ({ earliest, latest: chain.latest[k] as number }));
      for (let i = 0; i < slice.size; i++) {
        const when = { from: slice.from[i] as number, to: slice.to[i] as number, itself: 0 };
        const open = begins.filter(
          ({ earliest, latest }, k) =>
            earliest <= when.to && latest + longUs >= when.from && (begins[k + 1]?.latest ?? Infinity) > when.from,
        );
        const most = open.map(({ earliest }) => ({
          sinceUs: earliest,
          counted: counted.starts.filter((s) => s <= when.to).length - counted.ends.filter((e) => e < earliest).length,
        }));
        several += open.length > 1 ? 1 : 0;
        expect(bestWindow(chain, counted, when, longUs)).toEqual(most.sort((a, b) => b.counted - a.counted)[0]);
      }
    });
    expect(several).toBeGreaterThan(0);
  });

  it('only the first is looked at, however many they are', () => {
    let reads = 0;
    const counting = (values: Float64Array) =>
      new Proxy(values, {
        get: (all, key) => {
          reads += 1;
          return Reflect.get(all, key);
        },
      });
    // The longer a run, the less is known of when its windows began: here, any of 10,000 may be the present one.
    const chain: Chain = {
      earliest: counting(Float64Array.from({ length: 10_000 }, (_, k) => k)),
      latest: counting(Float64Array.from({ length: 10_000 }, (_, k) => 2 * k + 9_000)),
    };
    const spans = { starts: Float64Array.of(0, 1, 2), ends: Float64Array.of(3, 4, 9_500) };
    expect(bestWindow(chain, spans, { from: 9_000, to: 9_999, itself: 0 }, 1_000)).toEqual({ sinceUs: 0, counted: 3 });
    expect(reads).toBeLessThan(50);
  });
});
