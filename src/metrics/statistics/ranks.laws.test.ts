import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import { holmAdjusted, leastPairedP, leastUnpairedP, pairedShift, pairsNeeded, unpairedShift } from './ranks.ts';

const small = fc.integer({ min: -6, max: 6 });

/** Reference by enumeration of all signs of the differences or all assignments to the sides. */
function pByCounting(statistics: readonly number[], observed: number): number {
  const atMost = statistics.filter((one) => one <= observed + 1e-9).length / statistics.length;
  const atLeast = statistics.filter((one) => one >= observed - 1e-9).length / statistics.length;
  return Math.min(1, 2 * Math.min(atMost, atLeast));
}
function midRanks(values: readonly number[]): number[] {
  return values.map(
    (value) => values.filter((one) => one < value).length + (values.filter((one) => one === value).length + 1) / 2,
  );
}
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe('the signed-rank test', () => {
  it('has the p-value of an enumeration of all signs, with ties and zeros', () => {
    fc.assert(
      fc.property(fc.array(small, { minLength: 1, maxLength: 8 }), (differences) => {
        const kept = differences.filter((one) => one !== 0);
        const ranks = midRanks(kept.map(Math.abs));
        const all = Array.from({ length: 2 ** kept.length }, (_, signs) =>
          sum(ranks.filter((__, i) => (signs >> i) & 1)),
        );
        const observed = sum(ranks.filter((_, i) => (kept[i] ?? 0) > 0));
        expect(pairedShift(differences).p).toBeCloseTo(pByCounting(all, observed), 12);
      }),
    );
  });

  it('agrees with the tables', () => {
    // Wilcoxon: for ten pairs, 8 is the largest sum that is significant at 5 %.
    const signed = (negative: readonly number[]) =>
      Array.from({ length: 10 }, (_, i) => (negative.includes(i + 1) ? -(i + 1) : i + 1));
    expect(pairedShift(signed([1, 7])).p).toBeCloseTo(0.0488, 4);
    expect(pairedShift(signed([2, 7])).p).toBeCloseTo(0.0645, 4);
    expect(pairedShift(signed([])).p).toBeCloseTo(2 / 1_024, 12);
    expect(pairedShift([0, 0, 0]).p).toBe(1);
  });

  it('has the estimate and the interval of Hodges and Lehmann', () => {
    const { estimate, interval } = pairedShift([1, 2, 3, 4, 5, 6]);
    expect([estimate, interval]).toEqual([3.5, { low: 1, high: 6 }]);
    expect(pairedShift([1, 2, 3, 4, 5])).not.toHaveProperty('interval');
    // For ten pairs the interval excludes eight averages at either end.
    const ten = pairedShift(Array.from({ length: 10 }, (_, i) => i + 1));
    const walsh = Array.from({ length: 10 }, (_, i) => Array.from({ length: 10 - i }, (__, j) => (2 * i + j + 2) / 2))
      .flat()
      .sort((a, b) => a - b);
    expect(ten.interval).toEqual({ low: walsh[8], high: walsh[walsh.length - 9] });
  });
});

describe('the rank-sum test', () => {
  it('has the p-value of an enumeration of all assignments, with ties', () => {
    fc.assert(
      fc.property(
        fc.array(small, { minLength: 1, maxLength: 5 }),
        fc.array(small, { minLength: 1, maxLength: 5 }),
        (base, candidate) => {
          const ranks = midRanks([...candidate, ...base]);
          const choices = Array.from({ length: 2 ** ranks.length }, (_, bits) =>
            ranks.filter((__, i) => (bits >> i) & 1),
          )
            .filter((chosen) => chosen.length === candidate.length)
            .map(sum);
          const observed = sum(ranks.slice(0, candidate.length));
          expect(unpairedShift(base, candidate).p).toBeCloseTo(pByCounting(choices, observed), 12);
        },
      ),
    );
  });

  it('agrees with the tables', () => {
    // Mann and Whitney: for five and five, 2 is the largest U that is significant at 5 %.
    expect(unpairedShift([1, 2, 3, 4, 7], [5, 6, 8, 9, 10]).p).toBeCloseTo(8 / 252, 12);
    expect(unpairedShift([1, 2, 3, 4, 8], [5, 6, 7, 9, 10]).p).toBeCloseTo(14 / 252, 12);
    const { estimate, interval } = unpairedShift([1, 2, 3, 4], [11, 12, 13, 14]);
    expect([estimate, interval]).toEqual([10, { low: 7, high: 13 }]);
    expect(unpairedShift([1, 2, 3], [11, 12, 13])).not.toHaveProperty('interval');
  });
});

describe('intervals', () => {
  it('have at least the promised coverage', () => {
    const random = seededRandom(9, 'shift');
    let [pairedMisses, unpairedMisses] = [0, 0];
    const count = runs(600, 150);
    for (let run = 0; run < count; run++) {
      // Skewed, with a shift of 1.
      const draw = () => -Math.log(1 - random.next());
      const base = Array.from({ length: 10 }, draw);
      const candidate = Array.from({ length: 10 }, () => draw() + 1);
      const paired = pairedShift(base.map((value, i) => (candidate[i] ?? 0) - value)).interval;
      const unpaired = unpairedShift(base, candidate).interval;
      if (!paired || paired.low > 1 || paired.high < 1) pairedMisses++;
      if (!unpaired || unpaired.low > 1 || unpaired.high < 1) unpairedMisses++;
    }
    expect(pairedMisses / count).toBeLessThan(0.075);
    expect(unpairedMisses / count).toBeLessThan(0.075);
    expect(pairedMisses).toBeGreaterThan(0);
  });
});

describe('what so many rounds can show', () => {
  it('is the p-value if all rounds agree', () => {
    for (const n of [1, 5, 6, 10]) {
      const differences = Array.from({ length: n }, (_, i) => i + 1);
      expect(leastPairedP(n)).toBeCloseTo(pairedShift(differences).p, 12);
      const far = differences.map((value) => value + 100);
      expect(leastUnpairedP(n, n)).toBeCloseTo(unpairedShift(differences, far).p, 12);
    }
    expect([1, 0.05, 0.05 / 6, 0.05 / 11].map(pairsNeeded)).toEqual([1, 6, 8, 9]);
    // Where as many reach it exactly, they are enough.
    expect([3, 6, 12].map((pairs) => pairsNeeded(leastPairedP(pairs)))).toEqual([3, 6, 12]);
  });
});

describe("Holm's correction", () => {
  it("matches Holm's example", () => {
    expect(holmAdjusted([0.01, 0.04, 0.03, 0.005])).toEqual([
      expect.closeTo(0.03, 12),
      expect.closeTo(0.06, 12),
      expect.closeTo(0.06, 12),
      expect.closeTo(0.02, 12),
    ]);
    expect(holmAdjusted([])).toEqual([]);
    expect(holmAdjusted([0.6, 0.7])).toEqual([1, 1]);
  });

  it('never decreases a p-value or changes their order', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }), (ps) => {
        const adjusted = holmAdjusted(ps);
        for (const [i, p] of ps.entries()) {
          expect(adjusted[i]).toBeGreaterThanOrEqual(p);
          for (const [j, q] of ps.entries()) if (p < q) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j] ?? 0);
        }
      }),
    );
  });
});
