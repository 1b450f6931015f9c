import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import {
  allAtOnce,
  always,
  arrivals,
  type Draw,
  exponential,
  oneByOne,
  type Served,
  STAGE_US,
  timesBehind,
} from './fell-behind.exam.ts';

const COUNT = runs(5_000, 400);
const draws = { always, exponential };
const names = ['always', 'exponential'] as const;

/** Requests of which `perHalf` are due in half of a stage, at a service that handles one at a time. */
const queued =
  (perHalf: number, load: number, gaps: (typeof names)[number], takes: (typeof names)[number]) =>
  (random: () => number): Served => {
    const gap = STAGE_US / 2 / perHalf;
    return oneByOne(arrivals(draws[gaps](gap), random), draws[takes](gap * load), random);
  };

/** A share of the runs, and what chance adds to it in so few: three standard deviations. */
const atMost = (share: number, count: number) => count * share + 3 * Math.sqrt(count * share);

describe('a service that keeps up is rarely said to have fallen behind', () => {
  for (const load of [0.5, 0.8])
    for (const gaps of names)
      for (const takes of names)
        it(`load ${load}, gaps ${gaps}, times ${takes}`, () => {
          for (const perHalf of [20, 50, 200]) {
            const name = `${load} ${gaps} ${takes} ${perHalf}`;
            for (const behind of timesBehind(COUNT, name, queued(perHalf, load, gaps, takes)))
              expect(behind, name).toBeLessThanOrEqual(atMost(0.003, COUNT));
          }
        });

  it('with latencies from nothing to longer than the stage', () => {
    for (const latency of [0.001, 0.05, 0.3, 0.45, 0.6, 1.2])
      for (const takes of names)
        for (const gaps of names) {
          const name = `${latency} ${takes} ${gaps}`;
          const played = (random: () => number) =>
            allAtOnce(arrivals(draws[gaps](STAGE_US / 200), random), draws[takes](latency * STAGE_US), random);
          for (const behind of timesBehind(COUNT / 4, name, played))
            expect(behind, name).toBeLessThanOrEqual(atMost(0.005, COUNT / 4));
        }
  });

  it('where only polls show how long it took, be they rarer and rarer', () => {
    for (const [first, factor] of [
      [0.01, 1],
      [0.05, 1],
      [0.01, 1.5],
    ] as const)
      for (const load of [0.5, 0.8]) {
        const name = `polls ${first} ${factor} ${load}`;
        const lastPoll = (tookUs: number) => {
          let at = 0;
          for (let gap = first * STAGE_US; at + gap <= tookUs; gap *= factor) at += gap;
          return at;
        };
        const turns = queued(50, load, 'exponential', 'exponential');
        const polled = (random: () => number) =>
          turns(random).map(({ due, answered }) => ({ due, answered: due + lastPoll(answered - due) }));
        for (const behind of timesBehind(COUNT, name, polled))
          expect(behind, name).toBeLessThanOrEqual(atMost(0.003, COUNT));
      }
  });

  it('where the rate rises within the stage', () => {
    for (const latency of [0.01, 0.1, 0.3])
      for (const perHalf of [50, 1_000]) {
        const name = `rise ${latency} ${perHalf}`;
        // From nothing at the beginning of the stage to its highest rate at its end.
        const played = (random: () => number) => {
          const even = arrivals(exponential(STAGE_US / 2 / perHalf), random).filter((at) => at < STAGE_US);
          const rising = even.map((at) => STAGE_US * Math.sqrt(at / STAGE_US));
          return allAtOnce(rising, exponential(latency * STAGE_US), random);
        };
        expect(timesBehind(COUNT / 4, name, played)[0], name).toBeLessThanOrEqual(atMost(0.01, COUNT / 4));
      }
  });

  it('where requests come in bursts, of which one may come at the end of the stage', () => {
    for (const [many, perStage] of [
      [5, 20],
      [20, 7],
      [50, 40],
    ] as const) {
      const gap = STAGE_US / perStage;
      const played = (random: () => number) => {
        const bursts = arrivals(always(gap), random).flatMap((at) => Array<number>(many).fill(at));
        return oneByOne(bursts, always((gap / many) * 0.8), random);
      };
      const name = `${many} ${perStage}`;
      for (const behind of timesBehind(COUNT / 4, name, played))
        expect(behind, name).toBeLessThanOrEqual(atMost(0.005, COUNT / 4));
    }
  });
});

describe('a service that is slower than the plan has fallen behind', () => {
  const firstStage = (perHalf: number, load: number, gaps: keyof typeof draws, takes: (mean: number) => Draw) =>
    timesBehind(COUNT / 4, `${perHalf} ${load}`, (random) => {
      const gap = STAGE_US / 2 / perHalf;
      return oneByOne(arrivals(draws[gaps](gap), random), takes(gap * load), random);
    })[0];
  const nearly =
    (mean: number): Draw =>
    (random) =>
      mean * (0.95 + 0.1 * random());

  it('from 50 even requests a half on, if 1.3 times as many are asked for as it can answer', () => {
    for (const perHalf of [50, 60, 200])
      for (const takes of [always, nearly])
        expect(firstStage(perHalf, 1.3, 'always', takes), `${perHalf}`).toBeGreaterThanOrEqual(0.95 * (COUNT / 4));
    for (const load of [2, 5, 10])
      expect(firstStage(50, load, 'always', nearly), `${load}`).toBeGreaterThanOrEqual(0.95 * (COUNT / 4));
  });

  it('from some hundred requests a half on, if arrivals or times are random', () => {
    const least = 0.95 * (COUNT / 4);
    expect(firstStage(400, 1.3, 'always', exponential)).toBeGreaterThanOrEqual(least);
    expect(firstStage(600, 1.3, 'exponential', always)).toBeGreaterThanOrEqual(least);
    expect(firstStage(1_000, 1.3, 'exponential', exponential)).toBeGreaterThanOrEqual(least);
  });
});
