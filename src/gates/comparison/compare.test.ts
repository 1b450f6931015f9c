import { describe, expect, it } from 'vitest';
import { type ComparedCandidate, compareRuns } from './compare.ts';
import { compared, failed, latency, metric, moods, rounds, runsOf, slack } from './compared.exam.ts';

const checks = metric('checks', 'rate');
const verdicts = (...args: Parameters<typeof compared>) =>
  compared(...args).candidates[0]?.metrics.map(({ verdict }) => verdict);

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
});

describe('counts', () => {
  const [few, many] = [[40], [80]].map((round) => Array.from({ length: 8 }, () => round)) as [number[][], number[][]];
  const chosen = (outcome: string) => [metric('http_reqs', 'count', { outcome })];

  it('are worse if there are fewer successes, or more errors', () => {
    expect(verdicts(chosen('success'), many, few)).toEqual(['worse']);
    expect(verdicts(chosen('error'), few, many)).toEqual(['worse']);
    expect(compared(chosen('error'), few, many).regressed).toBe(true);
    expect(verdicts(chosen('error'), many, few)).toEqual(['better']);
  });
});
