import { describe, expect, it } from 'vitest';
import { compareRuns } from './compare.ts';
import { compared, failed, latency, moods, rounds, runsOf, slack } from './compared.exam.ts';

describe('a comparison', () => {
  it('sees two values that every round has, and no values of a side', () => {
    const all = (value: number) => moods.map(() => [value]);
    const apart = { interleaved: false };
    const [worse] = compared([latency], all(50), all(60).slice(1), apart).candidates[0]?.metrics ?? [];
    expect(worse?.verdict).toBe('worse');
    expect(worse?.because).toContain(' in 10 and 9 rounds: ');
    for (const [one, other] of [
      [[[undefined]], all(1)],
      [all(1), [[undefined]]],
    ] as const)
      expect(compared([latency], one, other, apart).candidates[0]?.metrics[0]).toMatchObject({
        verdict: 'cannot tell',
        because: 'no round of both has enough samples',
      });
  });

  it('names its runs, and counts the rounds that are left out', () => {
    const { base, candidates } = compareRuns(
      [latency],
      { name: 'base', runs: runsOf(rounds(1)), leftOut: 1 },
      [{ name: 'c', interleaved: true, differs: [], runs: runsOf(rounds(1)), leftOut: 2 }],
      slack,
    );
    expect([base.leftOut, candidates[0]?.leftOut]).toEqual([1, 2]);
    const runIds = moods.map((_, index) => `r${index}`);
    expect([base.runs, candidates[0]?.runs]).toEqual([runIds, runIds]);
    expect(compared([latency], rounds(1), rounds(1)).base).not.toHaveProperty('leftOut');
  });

  it('says how many rounds it takes, where these can show nothing', () => {
    const few = compared([latency], rounds(1).slice(0, 5), rounds(2).slice(0, 5)).candidates[0]?.metrics[0];
    expect(few).toMatchObject({ verdict: 'cannot tell', needed: 6 });
    expect(few).not.toHaveProperty('interval');
    const one = compared([latency], [[50]], [[500]], { interleaved: false }).candidates[0]?.metrics[0];
    expect(one).toMatchObject({ verdict: 'cannot tell', needed: 4, difference: { absolute: expect.closeTo(450, 6) } });
    const apart = { interleaved: false };
    const [enough] =
      compared([latency], rounds(1).slice(0, 4), rounds(1.1).slice(0, 4), apart).candidates[0]?.metrics ?? [];
    expect(enough?.verdict).toBe('cannot tell');
    expect(enough).not.toHaveProperty('needed');
    const both = (factor: number) =>
      rounds(factor)
        .slice(0, 4)
        .map(([value]) => [value, value]);
    const ofTwo = compared([latency, latency], both(1), both(1.1), apart).candidates[0]?.metrics ?? [];
    expect(ofTwo.map(({ needed }) => needed)).toEqual([5, 5]);
    expect(one?.because).toContain(' (+450 ms) in 1 round: too few rounds to show a difference: at least 4');
  });

  it('asks for more rounds than there are, where some of these show no difference', () => {
    // Of six rounds two are equal: the other four can at best reach p = 0.125, and six that differ are needed.
    const base = Array.from({ length: 6 }, () => [0]);
    const candidate = [0.04, 0, 0.02, 0.03, 0, 0.05].map((share) => [share]);
    const [told] = compared([failed], base, candidate).candidates[0]?.metrics ?? [];
    expect(told).toMatchObject({ verdict: 'cannot tell', rounds: { base: 6 }, p: 0.125, needed: 8 });
    expect(told?.because).toContain('in 6 rounds: too few rounds to show a difference: at least 8 are needed');
  });

  it('corrects for how much is compared, that which shows no difference at all left out', () => {
    const many = Array.from({ length: 30 }, () => latency);
    const wide = (factor: number) =>
      rounds(factor).map(([value = 0]) => many.map((_, i) => (i === 0 ? value : value / factor)));
    // 29 metrics are equal in every round, so they cannot be false positives.
    expect(compared(many, wide(1), wide(1.1)).candidates[0]?.metrics[0]?.verdict).toBe('worse');
    const five = compared(many, wide(1).slice(0, 5), wide(1.1).slice(0, 5)).candidates[0]?.metrics ?? [];
    expect(five.map(({ needed }) => needed)).toEqual(many.map(() => 6));
    // Nor can those, of rounds that are not paired, of which all values are equal.
    const still = (factor: number) => rounds(factor).map(([value = 0]) => many.map((_, i) => (i === 0 ? value : 7)));
    const [apart] = compared(many, still(1), still(9), { interleaved: false }).candidates[0]?.metrics ?? [];
    expect(apart?.p).toBeLessThan(0.001);
    expect(apart?.pCorrected).toBe(apart?.p);
    const noisy = (factor: number) =>
      rounds(factor).map(([value = 0], round) =>
        many.map((_, i) => (i === 0 ? value : 50 + ((i * 7 + round * 13 * factor) % 11))),
      );
    const { metrics = [] } = compared(many, noisy(1), noisy(1.1)).candidates[0] ?? {};
    expect(metrics[0]).toMatchObject({ verdict: 'cannot tell', needed: 11 });
    expect(metrics[0]?.pCorrected).toBeCloseTo(30 * (2 / 1_024), 9);
  });

  it('takes of rounds only what both sides have', () => {
    const without = (all: number[][]) => all.map((values, i) => (i === 3 ? [undefined] : values));
    for (const [one, other] of [
      [without(rounds(1)), rounds(1.1)],
      [rounds(1), without(rounds(1.1))],
    ] as const)
      expect(compared([latency], one, other).candidates[0]?.metrics[0]).toMatchObject({
        verdict: 'worse',
        rounds: { base: 9, candidate: 9 },
      });
    expect(compared([latency], [[undefined]], [[1]]).candidates[0]?.metrics[0]).toMatchObject({
      verdict: 'cannot tell',
      because: 'no round of both has enough samples',
    });
  });
});
