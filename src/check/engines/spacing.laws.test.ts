import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relaxed } from './admitted.ts';
import { admittedIn, intervals, law } from './small-numbers.exam.ts';
import { crowdedLog, indicesOf, overdrawnBucket } from './spacing.ts';

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
