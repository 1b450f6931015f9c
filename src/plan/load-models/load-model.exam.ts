import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LoadModel } from '../../scenario/index.ts';
import { loadModelOf } from './index.ts';

/** The exam that every load model sits. `models` draws valid models of one kind. */
export function loadModelExam(models: fc.Arbitrary<LoadModel>): void {
  const seeds = fc.integer({ min: 0, max: 0xffff_ffff });
  const offsets = (model: LoadModel, seed: number) => [...loadModelOf(model).arrivals(model, seed)];

  it('yields non-decreasing whole microseconds from 0 on', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const times = offsets(model, seed);
        expect(times.every((time, k) => Number.isInteger(time) && time >= (times[k - 1] ?? 0))).toBe(true);
      }),
    );
  });

  it('yields the same for the same seed', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        expect(offsets(model, seed)).toEqual(offsets(model, seed));
      }),
    );
  });

  it('yields as many as it counts, none after its duration', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const times = offsets(model, seed);
        expect(times).toHaveLength(loadModelOf(model).count(model));
        expect(times.every((time) => time <= loadModelOf(model).durationUs(model))).toBe(true);
      }),
    );
  });

  it('has either planned arrivals or users, and describes itself with a number', () => {
    fc.assert(
      fc.property(models, seeds, (model, seed) => {
        const users = loadModelOf(model).users(model).length;
        expect(offsets(model, seed).length === 0 || users === 0).toBe(true);
        expect(offsets(model, seed).length + users).toBeGreaterThan(0);
        expect(loadModelOf(model).describe(model)).toMatch(/\d/);
      }),
    );
  });
}
