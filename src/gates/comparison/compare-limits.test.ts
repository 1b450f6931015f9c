import { describe, expect, it } from 'vitest';
import type { LimitVerdict } from '../../check/index.ts';
import { rateVerdicts } from '../../testing/rate-verdicts.ts';
import { type ComparedRun, compareRuns } from './compare.ts';
import { runsOf, slack } from './compared.exam.ts';

describe('a comparison', () => {
  it('needs no more than one run for a limit that is proven broken', () => {
    const { violated, consistent: kept, undecided: untold } = rateVerdicts;
    const of = (base: LimitVerdict, candidate: LimitVerdict) => {
      const other = { name: 'c', interleaved: false, differs: [], runs: runsOf([[]], [candidate]) };
      const { candidates, regressed } = compareRuns([], { name: 'b', runs: runsOf([[]], [base]) }, [other], slack);
      return [candidates[0]?.limits[0]?.verdict, regressed];
    };
    expect(of(kept, violated)).toEqual(['worse', true]);
    expect(of(violated, untold)).toEqual(['better', false]);
    expect(of(violated, violated)).toEqual(['same', false]);
    expect(of(kept, kept)).toEqual(['same', false]);
    expect(of(kept, untold)).toEqual(['cannot tell', false]);
  });

  it('holds each limit against the same limit, and counts the runs of each side', () => {
    const { violated, consistent: kept, undecided: untold } = rateVerdicts;
    const daily = { ...kept, limit: 'daily' } as const;
    const limitsOf = (base: readonly ComparedRun[], candidate: readonly ComparedRun[]) =>
      compareRuns(
        [],
        { name: 'b', runs: base },
        [{ name: 'c', interleaved: false, differs: [], runs: candidate }],
        slack,
      ).candidates[0]?.limits.map(({ limit, verdict, because }) => [limit, verdict, because]);
    const [two, three] = [
      runsOf([[], []], [kept, daily]),
      [...runsOf([[]], [violated, daily]), ...runsOf([[], []], [kept, daily])],
    ];
    const both = ['daily', 'same', 'reached in both, and nothing contradicts it'];
    expect(limitsOf(two, three)).toEqual([
      ['rate', 'worse', 'violated in 1 of 3 runs (proven), in none of the base'],
      both,
    ]);
    expect(limitsOf(three, two)).toEqual([
      ['rate', 'better', 'violated in 1 of 3 runs of the base; no violation is proven in the candidate'],
      both,
    ]);
    const dailyOnly = runsOf([[]], [untold, daily]);
    expect(limitsOf(dailyOnly, dailyOnly)?.map(([, verdict]) => verdict)).toEqual(['cannot tell', 'same']);
    const oneKept = [...runsOf([[]], [untold]), ...runsOf([[]], [kept])];
    expect(limitsOf(oneKept, oneKept)?.[0]?.[1]).toBe('same');
    expect(limitsOf(three, three)?.[0]).toEqual(['rate', 'same', 'violated in both (proven)']);
    expect(limitsOf(runsOf([[]]), runsOf([[]], [violated]))?.[0]?.slice(0, 2)).toEqual(['rate', 'worse']);
  });
});

describe('what else is proven', () => {
  it('is worse where no run of the base shows it, and is told once beside a violated limit', () => {
    const { violated } = rateVerdicts;
    const findingsOf = (base: readonly ComparedRun[], candidate: readonly ComparedRun[]) => {
      const other = { name: 'c', interleaved: false, differs: [], runs: candidate };
      const { candidates, regressed } = compareRuns([], { name: 'b', runs: base }, [other], slack);
      return [
        candidates[0]?.findings.map(({ finding, verdict, because }) => [finding, verdict, because]),
        regressed,
      ] as const;
    };
    const clean = runsOf([[], []]);
    const twice = [...runsOf([[]], [violated], ['rate', 'executed-twice']), ...clean];
    expect(findingsOf(clean, twice)).toEqual([
      [['executed-twice', 'worse', 'proven in 1 of 3 runs, in none of the base']],
      true,
    ]);
    expect(findingsOf(twice, clean)).toEqual([
      [['executed-twice', 'better', 'proven in 1 of 3 runs of the base, in none of the candidate']],
      false,
    ]);
    expect(findingsOf(twice, twice)).toEqual([[['executed-twice', 'same', 'proven in both']], false]);
    expect(findingsOf(clean, clean)).toEqual([[], false]);
    const lost = ['lost', 'better', 'proven in 1 of 1 runs of the base, in none of the candidate'];
    expect(findingsOf(runsOf([[]], [], ['lost']), clean)).toEqual([[lost], false]);
    // Each is counted by itself.
    expect(findingsOf(runsOf([[]], [], ['lost']), runsOf([[]], [], ['executed-twice']))).toEqual([
      [lost, ['executed-twice', 'worse', 'proven in 1 of 1 runs, in none of the base']],
      true,
    ]);
  });
});
