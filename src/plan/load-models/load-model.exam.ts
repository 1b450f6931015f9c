import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { type LoadModel, type Scenario, ScenarioSchema } from '../../scenario/index.ts';
import { compilePlan } from '../compile.ts';
import { arrivalOfLoop, type Loop } from '../loops.ts';
import { type LoadPart, loadModelOf } from './index.ts';

/** Properties of a kind of load model that the conformance suite checks. */
export interface LoadModelClaims {
  /** Generates valid models of the kind, with few arrivals. */
  readonly models: fc.Arbitrary<LoadModel>;
  /** Expected number of arrivals: the integral of its rate. */
  readonly integral?: (model: LoadModel) => number;
  /** Standard deviation of a random model's count; absent: the count is the integral, rounded up. */
  readonly deviation?: (model: LoadModel) => number;
  /** A model with at least ten million arrivals. */
  readonly huge?: LoadModel;
}

/** Statistical bounds apply to random models, so the draws are fixed and a test never fails by chance. */
const FIXED = { seed: 20_261_121, numRuns: 60 } as const;
const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
const offsets = (model: LoadModel, seed: number) => [...loadModelOf(model).arrivals(model, seed)];

/** Names of the models that were tested. */
export const examined = new Set<LoadModel['model']>();

/** The conformance suite for every load model. */
export function loadModelExam({ models, integral, deviation, huge }: LoadModelClaims): void {
  for (const { model } of fc.sample(models, { seed: 1, numRuns: 1 })) examined.add(model);
  it('yields non-decreasing whole microseconds from 0 on, none after its duration', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const times = offsets(model, seed);
        expect(times.every((time, k) => Number.isInteger(time) && time >= (times[k - 1] ?? 0))).toBe(true);
        const { durationUs, endsWithArrival } = loadModelOf(model);
        expect(times.every((time) => time <= durationUs(model))).toBe(true);
        if (endsWithArrival) expect(times.at(-1)).toBe(durationUs(model));
      }),
      FIXED,
    );
  });

  it('yields the same arrivals for the same seed, as many as `count` says', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const times = offsets(model, seed);
        expect(offsets(model, seed)).toEqual(times);
        expect(times).toHaveLength(loadModelOf(model).count(model, seed));
      }),
      FIXED,
    );
  });

  it('has either planned arrivals or users, and describes itself with a number', () => {
    fc.assert(
      fc.property(models, fc.constant(7), (model, seed) => {
        const users = loadModelOf(model).users(model);
        const planned = loadModelOf(model).count(model, seed);
        expect(planned === 0 || users.length === 0).toBe(true);
        if (deviation === undefined) expect(planned + users.length).toBeGreaterThan(0);
        expect(users.every(({ active }) => active.length > 0)).toBe(true);
        expect(loadModelOf(model).describe(model)).toMatch(/\d/);
      }),
      FIXED,
    );
  });

  it('has parts that fill its duration and add up to its count, if it has parts', () => {
    fc.assert(
      fc.property(models, (model) => {
        const kind = loadModelOf(model);
        const parts = kind.parts?.(model);
        if (parts === undefined) return;
        const sum = (of: (part: LoadPart) => number) => parts.reduce((total, part) => total + of(part), 0);
        // Each part's length is rounded to a microsecond.
        expect(Math.abs(sum(({ durationUs }) => durationUs) - kind.durationUs(model))).toBeLessThanOrEqual(
          parts.length,
        );
        expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
        const area = sum(({ durationUs, level }) => ((level.from + level.to) / 2) * (durationUs / 6e7));
        if (integral) expect(area).toBeCloseTo(integral(model), 3);
      }),
      FIXED,
    );
  });

  it.runIf(integral)('counts the integral of its rate', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const expected = integral?.(model) ?? Number.NaN;
        const count = loadModelOf(model).count(model, seed);
        if (deviation === undefined) expect([expected, Math.ceil(expected - 1e-6)]).toEqual([expected, count]);
        // Five standard deviations, and one arrival for rounding.
        else expect(Math.abs(count - expected)).toBeLessThanOrEqual(5 * deviation(model) + 1);
      }),
      FIXED,
    );
  });

  it('is divided into segments by user, which merge to the whole', () => {
    fc.assert(
      fc.property(
        models,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 1, max: 5 }),
        seeds,
        fc.option(fc.array(fc.nat(), { minLength: 1, maxLength: 3 }), { nil: undefined }),
        (model, users, of, seed, only) => {
          const onlyUsers = only?.map((user) => `u${1 + (user % users)}`);
          const whole = compilePlan(scenarioOf(onlyUsers ? { ...model, onlyUsers } : model, users, seed));
          const taking = new Set([...whole.arrivals(), ...whole.loops].map(({ user }) => `u${user + 1}`));
          if (onlyUsers) expect(onlyUsers).toEqual(expect.arrayContaining([...taking]));
          const parts = Array.from({ length: of }, (_, part) => whole.segment({ part, of }));
          expect([...whole.arrivals()]).toHaveLength(whole.arrivalCount);
          const merged = parts.flatMap((part) => [...part.arrivals()]).sort((a, b) => a.index - b.index);
          expect(merged).toEqual([...whole.arrivals()]);
          expect(firstArrivals(parts.flatMap((part) => part.loops))).toEqual(firstArrivals(whole.loops));
          const usersOf = parts.map((part) => new Set([...part.arrivals(), ...part.loops].map(({ user }) => user)));
          const shared = usersOf.some((one, i) =>
            usersOf.some((other, j) => i !== j && [...one].some((user) => other.has(user))),
          );
          expect(shared).toBe(false);
        },
      ),
      FIXED,
    );
  });

  it.runIf(huge)('is lazy: of ten million arrivals or more, the first come at once', () => {
    if (huge === undefined) return;
    const first: number[] = [];
    for (const offset of loadModelOf(huge).arrivals(huge, 1)) if (first.push(offset) === 1_000) break;
    expect(first).toHaveLength(1_000);
    expect(first.every((time, k) => time >= (first[k - 1] ?? 0))).toBe(true);
  });
}

const steps = [{ issueToken: {} }];

/** Two journeys, so that all segments must choose the same one. */
function scenarioOf(model: LoadModel, users: number, seed: number): Scenario {
  const scenario = ScenarioSchema.parse({
    name: 'exam',
    users,
    seed,
    journeys: { a: { steps, weight: 2 }, b: { steps } },
    load: { model: 'burst', count: 1 },
  });
  return { ...scenario, load: model };
}

/** The first arrival of each user, by the user's index. */
const firstArrivals = (loops: readonly Loop[]) =>
  [...loops]
    .sort((a, b) => a.firstIndex - b.firstIndex)
    .map((loop) => [loop.firstIndex, arrivalOfLoop(loop, 0, 0 as Micros)]);
