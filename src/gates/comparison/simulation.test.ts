import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../base/index.ts';
import { type ComparedRun, compareRuns } from './compare.ts';
import { slack } from './compared.exam.ts';
import { comparedMetric } from './compared-metric.ts';

/**
 * Service times of reads by round, in microseconds, recorded by src/bench/compare-rounds.ts from a sandbox with a median of 50 ms
 * and a 95th percentile of 75 ms. `quiet`: little else ran on the machine. `busy`: both cores were fully used at times, and whole
 * rounds took twice as long.
 */
const recorded = JSON.parse(readFileSync(new URL('recorded-rounds.json', import.meta.url), 'utf8')) as Readonly<
  Record<'quiet' | 'busy', readonly (readonly number[])[]>
>;

const COMPARISONS = 200;
/** Number of operations whose medians are compared; only the first is slowed down. */
const METRICS = 4;

const metrics = Array.from({ length: METRICS }, () =>
  comparedMetric({ metric: 'http_req_duration', tags: { outcome: 'success' } }, { of: 'med' }),
);

const pick = <T>(random: Random, from: readonly T[]): T => from[random.integer(from.length)] as T;

/** The median of a bootstrap sample of a round. */
function medianOfRound(random: Random, round: readonly number[], factor: number): number {
  // A typed array is sorted as numbers without a function, in a fraction of the time.
  const samples = Float64Array.from(round, () => pick(random, round)).sort();
  return ((samples[Math.ceil(samples.length / 2) - 1] ?? 0) * factor) / 1_000;
}

/** One comparison: in each round, both sides draw their own samples from the same recorded round. */
function compareOnce(random: Random, { machine, rounds }: Conditions, slowdown: number) {
  const runs: Record<'base' | 'candidate', ComparedRun[]> = { base: [], candidate: [] };
  for (let round = 0; round < rounds; round++) {
    const moods = Array.from({ length: METRICS }, () => pick(random, recorded[machine]));
    for (const side of ['base', 'candidate'] as const) {
      const values = moods.map((mood, metric) =>
        medianOfRound(random, mood, side === 'candidate' && metric === 0 ? slowdown : 1),
      );
      runs[side].push({ runId: `${side}-${round}`, values, limits: [], proven: [] });
    }
  }
  const candidate = { name: 'candidate', interleaved: true, differs: [], runs: runs.candidate };
  return compareRuns(metrics, { name: 'base', runs: runs.base }, [candidate], slack).candidates[0];
}

interface Conditions {
  readonly machine: keyof typeof recorded;
  readonly rounds: number;
}

const conditions: readonly Conditions[] = [
  { machine: 'quiet', rounds: 12 },
  // With more variance between rounds, detecting the same change takes more rounds; the false-positive rate is unaffected.
  { machine: 'busy', rounds: 20 },
];

describe.each(conditions)('from latencies recorded on a $machine machine, $rounds rounds', (under) => {
  it('has enough of them', () => {
    const all = recorded[under.machine].flat().sort((a, b) => a - b);
    expect(recorded[under.machine].length).toBeGreaterThanOrEqual(20);
    expect(Math.min(...recorded[under.machine].map((round) => round.length))).toBe(60);
    expect(all[Math.floor(all.length / 2)]).toBeGreaterThan(50_000);
  });

  it('raises at most 5 alarms in 200 comparisons of the same with the same', () => {
    const random = seededRandom(1, 'same');
    const found = Array.from({ length: COMPARISONS }, () => compareOnce(random, under, 1));
    expect(found.filter((one) => one?.regressed).length).toBeLessThanOrEqual(5);
  });

  it('finds a slowdown of 10 % in at least 190 of 200, and blames nothing else', () => {
    const random = seededRandom(2, 'slower');
    const found = Array.from({ length: COMPARISONS }, () => compareOnce(random, under, 1.1)?.metrics ?? []);
    expect(found.filter(([first]) => first?.verdict === 'worse').length).toBeGreaterThanOrEqual(190);
    const others = found.filter(([, ...rest]) => rest.some(({ verdict }) => verdict === 'worse'));
    expect(others.length).toBeLessThanOrEqual(5);
  });
});

describe('an improvement of 10 %', () => {
  it('is found as often', () => {
    const random = seededRandom(3, 'faster');
    const under = { machine: 'quiet', rounds: 12 } as const;
    const found = Array.from({ length: COMPARISONS }, () => compareOnce(random, under, 1 / 1.1)?.metrics[0]?.verdict);
    expect(found.filter((verdict) => verdict === 'better').length).toBeGreaterThanOrEqual(190);
  });
});
