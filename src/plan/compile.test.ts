import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../scenario/index.ts';
import { listed, planOf, step } from './planned.exam.ts';

describe('compilePlan', () => {
  it('merges load models by time, and at the same time in the order of the file', () => {
    const arrivals = listed({
      journeys: { a: { steps: step }, b: { steps: step } },
      load: [
        { model: 'constant-rate', rate: '1/s', duration: '2s', journeys: ['a'] },
        { model: 'burst', count: 2, gap: '1500ms', journeys: ['b'] },
      ],
    });
    expect(arrivals.map(({ index, intendedAt, journey }) => [index, intendedAt, journey])).toEqual([
      [0, 0, 'a'],
      [1, 0, 'b'],
      [2, 1_000_000, 'a'],
      [3, 1_500_000, 'b'],
    ]);
  });

  it('puts phases one after another, and cuts load models off at the end of their phase', () => {
    const rest: Partial<ScenarioInput> = {
      phases: [
        { name: 'short', duration: '2s', load: [{ model: 'constant-rate', rate: '1/s', duration: '10s' }] },
        { name: 'late', load: [{ model: 'burst', count: 1, start: '500ms' }] },
      ],
    };
    expect(listed(rest).map(({ intendedAt, phase }) => [intendedAt, phase])).toEqual([
      [0, 'short'],
      [1_000_000, 'short'],
      [2_500_000, 'late'],
    ]);
    expect(planOf(rest).arrivalCount).toBe(3);
    expect(planOf(rest).phases.map(({ name, startUs, durationUs }) => [name, startUs, durationUs])).toEqual([
      ['short', 0, 2_000_000],
      ['late', 2_000_000, 500_000],
    ]);
    expect(planOf(rest).durationUs).toBe(2_500_000);
    const told = planOf(rest).phases.map(({ load }) => load[0]?.endsWith(', cut off with its phase after 2.00 s'));
    expect(told).toEqual([true, false]);
  });

  it('cuts a later phase off at its own end, and tells when its load begins', () => {
    const rest: Partial<ScenarioInput> = {
      phases: [
        { name: 'first', duration: '10s', load: [{ model: 'burst', count: 1 }] },
        {
          name: 'second',
          duration: '2s',
          load: [{ model: 'constant-rate', rate: '1/s', duration: '9s', start: '500ms' }],
        },
      ],
    };
    expect(listed(rest).map(({ intendedAt }) => intendedAt)).toEqual([0, 10_500_000, 11_500_000]);
    expect(planOf(rest).phases[1]?.load).toEqual([
      '1 per second for 9.00 s, beginning after 500 ms, cut off with its phase after 2.00 s',
    ]);
  });

  it('draws the arrivals of each phase and of each load anew', () => {
    const load = { model: 'poisson', rate: '1/s', duration: '20s' } as const;
    const plan = planOf({
      phases: [
        { name: 'first', load: [load, load] },
        { name: 'second', load: [load] },
      ],
    });
    const offsets = (phase: string, from: number) =>
      [...plan.arrivals()].filter((one) => one.phase === phase).map(({ intendedAt }) => intendedAt - from);
    const [first, second] = [offsets('first', 0), offsets('second', 20_000_000)];
    expect(new Set(first).size).toBe(first.length);
    expect(second.filter((offset) => first.includes(offset))).toEqual([]);
  });

  it('numbers rates that are ceilings by their places among all load models', () => {
    const burst = { model: 'burst', count: 1 } as const;
    const plan = planOf({
      phases: [
        {
          name: 'first',
          load: [
            { ...burst, noCatchUp: true },
            { ...burst, noCatchUp: false },
          ],
        },
        {
          name: 'second',
          load: [
            { ...burst, noCatchUp: true },
            { ...burst, noCatchUp: true },
          ],
        },
      ],
    });
    expect([...plan.arrivals()].map(({ ceiling }) => ceiling)).toEqual([0, undefined, 2, 3]);
  });

  it('starts nothing at the end of a phase, which belongs to the next one', () => {
    const plan = planOf({
      users: 2,
      phases: [
        {
          name: 'short',
          duration: '2s',
          load: [
            { model: 'burst', count: 3, gap: '1s' },
            { model: 'closed-users', users: 1, start: '2s', duration: '1s' },
          ],
        },
        { name: 'next', load: [{ model: 'burst', count: 1 }] },
      ],
    });
    expect([...plan.arrivals()].map(({ intendedAt, phase }) => [intendedAt, phase])).toEqual([
      [0, 'short'],
      [1_000_000, 'short'],
      [2_000_000, 'next'],
    ]);
    expect([plan.arrivalCount, plan.loops]).toEqual([3, []]);
  });

  it('takes one load model for a phase as a list of one', () => {
    const model = { model: 'burst', count: 3 } as const;
    const arrivals = listed({ phases: [{ name: 'one', load: model }] });
    expect(arrivals).toHaveLength(3);
    expect(arrivals).toEqual(listed({ phases: [{ name: 'one', load: [model] }] }));
    expect(planOf({ load: model }).phases.map(({ name }) => name)).toEqual(['load']);
  });

  it('marks phases that last until their journeys are done', () => {
    const users = (bound: { duration?: string; iterations?: number }) =>
      planOf({ phases: [{ name: 'users', load: [{ model: 'closed-users', users: 2, ...bound }] }] }).phases[0]
        ?.untilDone;
    expect(users({ iterations: 3 })).toBe(true);
    expect(users({ iterations: 3, duration: '5s' })).toBeUndefined();
    const cut: Partial<ScenarioInput> = {
      phases: [{ name: 'cut', duration: '4s', load: [{ model: 'shared-iterations', users: 2, iterations: 9 }] }],
    };
    expect(planOf(cut).phases[0]?.untilDone).toBeUndefined();
    // One load of several is enough.
    const beside: Partial<ScenarioInput> = {
      load: [
        { model: 'burst', count: 1 },
        { model: 'closed-users', users: 2, iterations: 3 },
      ],
    };
    expect(planOf(beside).phases[0]?.untilDone).toBe(true);
    expect(planOf({ load: { model: 'shared-iterations', users: 2, iterations: 9 } }).phases[0]?.untilDone).toBe(true);
  });

  it('stops at its deadline or gracefulStop after its planned end, whichever comes first', () => {
    const load = [{ model: 'burst', count: 3, gap: '1s' }] as const;
    const stopsAt = (bounds: Partial<ScenarioInput>) =>
      planOf({
        phases: [
          { name: 'a', load: [...load] },
          { name: 'b', duration: '5s', load: [...load] },
        ],
        ...bounds,
      }).stopsAtUs;
    expect(stopsAt({})).toBeUndefined();
    expect(stopsAt({ gracefulStop: '0' })).toBe(7_000_000);
    expect(stopsAt({ gracefulStop: '1500ms' })).toBe(8_500_000);
    expect(stopsAt({ deadline: '9s', gracefulStop: '1500ms' })).toBe(8_500_000);
    expect(stopsAt({ deadline: '8s', gracefulStop: '1500ms' })).toBe(8_000_000);
    expect(
      planOf({ phases: [{ name: 'a', load: [...load] }], gracefulStop: '1s' }).segment({ part: 1, of: 2 }).stopsAtUs,
    ).toBe(3_000_000);
    const shared = { model: 'shared-iterations', users: 2, iterations: 9, duration: '4s' } as const;
    expect(planOf({ load: shared, gracefulStop: '1s' }).stopsAtUs).toBe(5_000_000);
  });

  it('is byte-identical for the same seed, and different for another one', () => {
    const rest = (seed: number): Partial<ScenarioInput> => ({
      seed,
      journeys: { a: { steps: step, weight: 1 }, b: { steps: step, weight: 1 } },
      load: { model: 'burst', count: 200 },
    });
    expect(JSON.stringify(listed(rest(7)))).toBe(JSON.stringify(listed(rest(7))));
    expect(JSON.stringify(listed(rest(7)))).not.toBe(JSON.stringify(listed(rest(8))));
  });

  it('chooses journeys by weight', () => {
    const arrivals = listed({
      journeys: { rare: { steps: step, weight: 1 }, common: { steps: step, weight: 9 } },
      load: { model: 'burst', count: 5_000 },
    });
    const rare = arrivals.filter(({ journey }) => journey === 'rare').length;
    // 500 expected, standard deviation 21: within five standard deviations, for one fixed seed.
    expect(rare).toBeGreaterThan(395);
    expect(rare).toBeLessThan(605);
  });
});
