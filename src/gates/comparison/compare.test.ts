import { describe, expect, it } from 'vitest';
import type { LimitVerdict } from '../../check/index.ts';
import type { Aggregation, Selector } from '../../metrics/index.ts';
import { rateVerdicts } from '../../testing/rate-verdicts.ts';
import { type ComparedCandidate, type ComparedRun, compareRuns } from './compare.ts';
import { comparedMetric } from './compared-metric.ts';
import type { Slack } from './result.ts';

const slack: Slack = { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 };
const metric = (name: string, of: Aggregation['of'] = 'med', tags: Selector['tags'] = {}) =>
  comparedMetric({ metric: name, tags } as Selector, { of } as Aggregation);

const latency = metric('http_req_duration');
const failed = metric('http_req_failed', 'rate');
const checks = metric('checks', 'rate');

const runsOf = (
  rounds: readonly (readonly (number | undefined)[])[],
  limits: readonly LimitVerdict[] = [],
  proven: readonly string[] = [],
): ComparedRun[] =>
  rounds.map((values, index) => ({
    runId: `r${index}`,
    values,
    limits,
    proven: proven.map((violation) => ({ violation, claim: '' })),
  }));

function compared(
  metrics: readonly ReturnType<typeof metric>[],
  base: readonly (readonly (number | undefined)[])[],
  candidate: readonly (readonly (number | undefined)[])[],
  more: Partial<ComparedCandidate> = {},
) {
  const other = { name: 'candidate', interleaved: true, differs: [], runs: runsOf(candidate), ...more };
  return compareRuns(metrics, { name: 'base', runs: runsOf(base) }, [other], slack);
}
const verdicts = (...args: Parameters<typeof compared>) =>
  compared(...args).candidates[0]?.metrics.map(({ verdict }) => verdict);

/** Ten rounds of about 50 ms, with a variation between rounds that both sides share. */
const moods = [1, 1.3, 0.9, 1.1, 2, 1, 0.95, 1.2, 1.05, 1.4];
const small = [0.2, -0.3, 0.1, 0.4, -0.1, -0.2, 0.3, -0.4, 0.15, -0.05];
const rounds = (factor: number, wobble = 1) =>
  moods.map((mood, i) => [50 * mood * factor * (1 + ((small[i] ?? 0) * wobble) / 100)]);

describe('a comparison', () => {
  it('tells no difference in milliseconds that no round had, however their ratios scatter', () => {
    const base = [3.65, 0.63, 0.57, 8.53, 4.17, 4.43].map((ms) => [ms]);
    const candidate = [41.4, 41.4, 41.3, 41.4, 41.5, 41.3].map((ms) => [ms]);
    for (const interleaved of [true, false]) {
      const { candidates } = compared([latency], base, candidate, { interleaved });
      const [told] = candidates[0]?.metrics ?? [];
      const { difference, interval } = told ?? {};
      expect(difference?.absolute).toBeCloseTo(37.4, 0);
      expect(difference?.relative).toBeGreaterThan(8);
      for (const end of [interval?.low, interval?.high]) {
        expect(end?.absolute).toBeGreaterThanOrEqual(41.3 - 8.53 - 1e-9);
        expect(end?.absolute).toBeLessThanOrEqual(41.5 - 0.57 + 1e-9);
      }
    }
  });

  it('sees through what a machine does to both sides', () => {
    const { candidates, regressed } = compared([latency], rounds(1), rounds(1.1, -1));
    expect(regressed).toBe(true);
    const [worse] = candidates[0]?.metrics ?? [];
    expect(worse).toMatchObject({ verdict: 'worse', unit: 'ms', rounds: { base: 10, candidate: 10 } });
    expect(worse?.difference?.relative).toBeCloseTo(0.1, 2);
    expect(worse?.difference?.absolute).toBeCloseTo(5.76, 1);
    expect(worse?.interval?.low.relative).toBeGreaterThan(0.09);
    expect(worse?.p).toBeCloseTo(2 / 1_024, 12);
    expect(worse?.because).toMatch(
      /^53.\d* ms to 59 ms, by \+10 % \(\+5.76 ms\) \(95 % interval: .*\) in 10 rounds: significant, and beyond the slack$/,
    );
    // The same rounds, not interleaved: variation of the machine adds to the difference.
    expect(verdicts([latency], rounds(1), rounds(1.1), { interleaved: false })).toEqual(['cannot tell']);
  });

  it('says better, same, and that it cannot tell', () => {
    expect(verdicts([latency], rounds(1), rounds(0.8))).toEqual(['better']);
    expect(verdicts([latency], rounds(1), rounds(1.001, -1))).toEqual(['same']);
    const [unclear] = compared([latency], rounds(1), rounds(1.04, 40)).candidates[0]?.metrics ?? [];
    expect(unclear?.verdict).toBe('cannot tell');
    expect(unclear?.because).toMatch(/: neither clearly beyond the slack nor clearly within it$/);
    expect(unclear).not.toHaveProperty('needed');
  });

  it('lets nothing count that is within either slack', () => {
    // 20 % of 2 ms is below the slack of 1 ms; 2 ms of 100 ms is below the slack of 5 %.
    const short = moods.map((mood) => [2 * mood]);
    expect(
      verdicts(
        [latency],
        short,
        short.map(([one = 0]) => [one * 1.2]),
      ),
    ).toEqual(['same']);
    const long = moods.map((mood) => [100 * mood]);
    expect(
      verdicts(
        [latency],
        long,
        long.map(([one = 0]) => [one + 2]),
      ),
    ).toEqual(['same']);
    expect(
      verdicts(
        [latency],
        long,
        long.map(([one = 0]) => [one + 9]),
      ),
    ).toEqual(['worse']);
  });

  it('holds what is just within the slack as within it, and times of nothing against milliseconds alone', () => {
    const all = (value: number) => moods.map(() => [value]);
    const [points] = compared([failed], all(0), all(0.01)).candidates[0]?.metrics ?? [];
    expect(points).toMatchObject({ verdict: 'same', difference: { absolute: 0.01 } });
    expect(points?.difference).toEqual({ absolute: 0.01 });
    expect(verdicts([metric('http_reqs', 'count')], all(100), all(105))).toEqual(['same']);
    const dropped = metric('dropped_iterations', 'count');
    expect(verdicts([dropped], all(0), all(0))).toEqual(['same']);
    expect(compared([dropped], all(0), all(2)).candidates[0]?.metrics[0]?.difference).toEqual({ absolute: 2 });
    const [fromNothing] = compared([latency], all(0), all(5)).candidates[0]?.metrics ?? [];
    expect(fromNothing).toMatchObject({ verdict: 'worse', base: 0, candidate: 5 });
    expect(fromNothing?.difference).toEqual({ absolute: 5 });
    expect(verdicts([metric('http_reqs', 'rate')], all(0), all(0.02))).toEqual(['better']);
    // Times of less than a millisecond have ratios too.
    const [short] = compared([latency], all(0.2), all(0.3)).candidates[0]?.metrics ?? [];
    expect(short?.difference?.relative).toBeCloseTo(0.5, 9);
  });

  it('does not tell where the ratio and the difference contradict each other', () => {
    // Thirteen short times became three times as long, seven long ones a little shorter.
    const pairs = [...Array.from({ length: 13 }, () => [1, 3]), ...Array.from({ length: 7 }, () => [1_000, 950])];
    const [told] =
      compared(
        [latency],
        pairs.map(([one]) => [one]),
        pairs.map(([, other]) => [other]),
      ).candidates[0]?.metrics ?? [];
    expect(told?.p).toBeLessThan(0.01);
    expect(told?.difference?.relative).toBeGreaterThan(0.5);
    expect(told?.difference?.absolute).toBeLessThan(-10);
    expect(told?.verdict).toBe('cannot tell');
  });

  it('does not call the same what may be much better', () => {
    expect(verdicts([latency], rounds(1), rounds(0.96, 40))).toEqual(['cannot tell']);
    expect(verdicts([latency], rounds(1), rounds(0.96, -40))).toEqual(['cannot tell']);
  });

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

  it('knows which way is worse', () => {
    const share = (value: number) => moods.map((mood) => [value + mood / 1_000]);
    expect(verdicts([failed], share(0), share(0.05))).toEqual(['worse']);
    expect(verdicts([failed], share(0.05), share(0))).toEqual(['better']);
    const [fewer] = compared([failed], share(0.05), share(0)).candidates[0]?.metrics ?? [];
    expect(fewer?.difference).toEqual({ absolute: expect.closeTo(-0.05, 9) });
    expect(verdicts([checks], share(0.9), share(0.8))).toEqual(['worse']);
    expect(verdicts([failed], share(0), share(0.005))).toEqual(['same']);
    expect(
      verdicts(
        [failed],
        moods.map(() => [0]),
        moods.map(() => [0]),
      ),
    ).toEqual(['same']);
  });

  it('holds counts, and so many a second, against the share of the base’s, in their own units', () => {
    const received = metric('data_received', 'count');
    const each = (value: number) => moods.map((mood) => [value + mood]);
    const [bytes] = compared([received], each(17_758), each(17_756)).candidates[0]?.metrics ?? [];
    expect(bytes).toMatchObject({ verdict: 'same', unit: 'bytes', difference: { absolute: -2 } });
    expect(bytes?.because).toMatch(/^17,759 bytes to 17,757 bytes, by -0.0113 % \(-2 bytes\)/);
    expect(verdicts([received], each(17_758), each(16_000))).toEqual(['worse']);
    const sent = metric('http_reqs', 'rate');
    const [aSecond] = compared([sent], each(40), each(50)).candidates[0]?.metrics ?? [];
    expect(aSecond).toMatchObject({ verdict: 'better', unit: '1/s' });
    expect(aSecond?.because).toMatch(/^41.1 a second to 51.1 a second, by \+24.3 % \(\+10 a second\)/);
    const [throughput] = compared([metric('data_received', 'rate')], each(40), each(50)).candidates[0]?.metrics ?? [];
    expect(throughput).toMatchObject({ verdict: 'better', unit: 'bytes/s' });
    expect(throughput?.because).toMatch(/^41.1 bytes a second to 51.1 bytes a second, /);
    // A base of 0 has no relative difference: any value above it is more.
    const dropped = metric('dropped_iterations', 'count');
    expect(
      verdicts(
        [dropped],
        moods.map(() => [0]),
        each(0),
      ),
    ).toEqual(['worse']);
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

  it('shows an estimate that the medians contradict, and says what it is', () => {
    // Of most rounds the candidate is faster, yet its median is higher.
    const base = [10, 20, 30, 31, 60, 70, 80].map((ms) => [ms]);
    const candidate = [9, 19, 33, 33, 55, 65, 75].map((ms) => [ms]);
    const [told] = compared([latency], base, candidate).candidates[0]?.metrics ?? [];
    expect(told).toMatchObject({ base: 31, candidate: 33, difference: { absolute: -1.5 } });
    expect(told?.because).toMatch(
      /^31 ms to 33 ms, though -\d.* round against round \(95 % interval: .*\) in 7 rounds: /,
    );
  });

  it('compares several candidates with one base, corrected for all of them', () => {
    const candidate = (name: string, factor: number): ComparedCandidate => ({
      name,
      interleaved: true,
      differs: [],
      runs: runsOf(rounds(factor, -1)),
    });
    const { candidates, regressed } = compareRuns(
      [latency],
      { name: 'base', runs: runsOf(rounds(1)) },
      [candidate('a', 1.1), candidate('b', 1)],
      slack,
    );
    expect(candidates.map(({ name, regressed: worse, metrics }) => [name, worse, metrics[0]?.verdict])).toEqual([
      ['a', true, 'worse'],
      ['b', false, 'same'],
    ]);
    expect(candidates[0]?.metrics[0]?.pCorrected).toBeCloseTo(4 / 1_024, 9);
    expect(regressed).toBe(true);
  });

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
    const both = ['daily', 'same', 'reached and kept in both'];
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
  });
});
