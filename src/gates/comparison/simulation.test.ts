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

/** A round in order, and for each of its values the chance that the median of a bootstrap sample is no greater. */
interface Drawn {
  readonly values: readonly number[];
  readonly chances: readonly number[];
}

/**
 * The (lower) median of n draws is at most the j-th of n values if at least half of the draws are: a binomial chance. Drawing the
 * median itself takes one random number instead of one for each sample, and nothing is sorted.
 */
function drawnFrom(round: readonly number[]): Drawn {
  const count = round.length;
  const half = Math.ceil(count / 2);
  const atLeastHalf = (chance: number) => {
    // Chances of k draws, from none on.
    let chances = [1];
    for (let draw = 0; draw < count; draw++)
      chances = Array.from(
        { length: chances.length + 1 },
        (_, k) => (chances[k] ?? 0) * (1 - chance) + (chances[k - 1] ?? 0) * chance,
      );
    return chances.slice(half).reduce((a, b) => a + b, 0);
  };
  return { values: round.toSorted((a, b) => a - b), chances: round.map((_, j) => atLeastHalf((j + 1) / count)) };
}

const drawn = { quiet: recorded.quiet.map(drawnFrom), busy: recorded.busy.map(drawnFrom) };

/** The median of a bootstrap sample of a round. */
function medianOfRound(random: Random, { values, chances }: Drawn, factor: number): number {
  const at = random.next();
  let place = 0;
  while (place < values.length - 1 && at >= (chances[place] ?? 1)) place++;
  return ((values[place] ?? 0) * factor) / 1_000;
}

/** One comparison: in each round, both sides draw their own samples from the same recorded round. */
function compareOnce(random: Random, { machine, rounds }: Conditions, slowdown: number) {
  const runs: Record<'base' | 'candidate', ComparedRun[]> = { base: [], candidate: [] };
  for (let round = 0; round < rounds; round++) {
    const moods = Array.from({ length: METRICS }, () => pick(random, drawn[machine]));
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
  readonly machine: 'quiet' | 'busy';
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
    // The slack alone would pass that. By their p-values at most one in twenty differs somewhere: 10 expected, 21 or more in 0.1 %.
    const significant = found.filter((one) => one?.metrics.some(({ pCorrected = 1 }) => pCorrected < 0.05));
    expect(significant.length).toBeLessThanOrEqual(20);
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
