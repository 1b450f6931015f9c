import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshUuid, uuidFrom } from './identifiers.ts';
import { randomAt, seededRandom } from './random.ts';

const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const path = fc.array(fc.oneof(fc.string(), fc.nat()), { maxLength: 4 });
const take = (seed: number, parts: readonly (string | number)[], count = 20) => {
  const random = seededRandom(seed, ...parts);
  return Array.from({ length: count }, () => random.next());
};

describe('a seeded stream', () => {
  it('is a pure function of its seed and path', () => {
    fc.assert(
      fc.property(seeds, path, (seed, parts) => {
        expect(take(seed, parts)).toEqual(take(seed, parts));
      }),
    );
  });

  it('differs for another seed or path', () => {
    fc.assert(
      fc.property(seeds, seeds, path, path, (seed, otherSeed, parts, otherParts) => {
        fc.pre(seed !== otherSeed || JSON.stringify(parts) !== JSON.stringify(otherParts));
        expect(take(seed, parts)).not.toEqual(take(otherSeed, otherParts));
      }),
    );
  });

  it('is independent of what other streams draw', () => {
    const alone = take(7, ['journey', 12]);
    const [mine, other] = [seededRandom(7, 'journey', 12), seededRandom(7, 'load', 0)];
    const together = alone.map(() => {
      other.next();
      return mine.next();
    });
    expect(together).toEqual(alone);
  });

  it('is uniform in [0, 1), and independent of its neighbour', () => {
    const count = 20_000;
    const [a, b] = [take(1, ['x', 0], count), take(1, ['x', 1], count)];
    expect([...a, ...b].every((value) => value >= 0 && value < 1)).toBe(true);
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    // Five standard errors: of a mean 0.29/√n, of a correlation 1/√n.
    expect(Math.abs(mean(a) - 0.5)).toBeLessThan((5 * 0.29) / Math.sqrt(count));
    const correlation = mean(a.map((value, index) => (value - 0.5) * ((b[index] ?? 0) - 0.5))) * 12;
    expect(Math.abs(correlation)).toBeLessThan(5 / Math.sqrt(count));
  });

  it('gives integers below a bound with equal probability', () => {
    const random = seededRandom(3, 'integers');
    const counts = new Array<number>(6).fill(0);
    for (let draw = 0; draw < 60_000; draw++) {
      const value = random.integer(6);
      counts[value] = (counts[value] ?? 0) + 1;
    }
    expect(counts).toHaveLength(6);
    // Five standard deviations of a binomial count of 10,000.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(5 * Math.sqrt(10_000 * (5 / 6)));
  });
});

describe('a random number by its place', () => {
  it('is a pure function of seed, path and index', () => {
    fc.assert(
      fc.property(seeds, path, fc.maxSafeNat(), (seed, parts, index) => {
        expect(randomAt(seed, ...parts)(index)).toBe(randomAt(seed, ...parts)(index));
      }),
    );
  });

  it('is uniform, whatever the stride, and independent of its neighbour and of another seed', () => {
    const count = 40_000;
    const at = randomAt(1, 'x');
    const other = randomAt(2, 'x');
    for (const stride of [1, 2, 1_000, 2 ** 32]) {
      const values = Array.from({ length: count }, (_, k) => at(k * stride));
      const slices = new Array<number>(16).fill(0);
      for (const value of values) slices[Math.floor(value * 16)] = (slices[Math.floor(value * 16)] ?? 0) + 1;
      // Chi-square with 15 degrees of freedom: 50 is beyond the 99.998th percentile.
      const expected = count / 16;
      expect(slices).toHaveLength(16);
      expect(slices.reduce((sum, slice) => sum + (slice - expected) ** 2 / expected, 0)).toBeLessThan(50);
      for (const partner of [(k: number) => at((k + 1) * stride), (k: number) => other(k * stride)]) {
        const product = values.reduce((sum, value, k) => sum + (value - 0.5) * (partner(k) - 0.5), 0) / count;
        expect(Math.abs(product * 12)).toBeLessThan(5 / Math.sqrt(count));
      }
    }
  });
});

describe('a derived UUID', () => {
  const parts = fc.array(fc.oneof(fc.string(), fc.nat()), { minLength: 1, maxLength: 5 });

  it('has the shape of version 8 (RFC 9562 section 5.8), and is a pure function of its parts', () => {
    fc.assert(
      fc.property(parts, (given) => {
        expect(uuidFrom(...given)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(uuidFrom(...given)).toBe(uuidFrom(...given));
      }),
    );
  });

  it('differs for different parts and for different divisions into parts', () => {
    fc.assert(
      fc.property(parts, parts, (some, others) => {
        fc.pre(JSON.stringify(some) !== JSON.stringify(others));
        expect(uuidFrom(...some)).not.toBe(uuidFrom(...others));
      }),
    );
    expect(new Set([uuidFrom('a', 'b'), uuidFrom('ab'), uuidFrom('a,b'), uuidFrom(1), uuidFrom('1')]).size).toBe(5);
  });

  it('differs from a fresh UUID, which has version 4 and is always new', () => {
    const fresh = Array.from({ length: 100 }, freshUuid);
    expect(new Set(fresh).size).toBe(100);
    expect(fresh.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab]/.test(id))).toBe(true);
  });
});
