import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LoadModel } from '../../scenario/index.ts';
import { loadModelOf } from './index.ts';
import { described, ms, rampingUsers, start, whole } from './models.exam.ts';

describe('closed-users', () => {
  it('gives each user its limits', () => {
    const model: LoadModel = {
      model: 'closed-users',
      users: 2,
      duration: ms(10_000),
      iterations: 3,
      think: ms(0),
      start,
    };
    expect(loadModelOf(model).users(model)).toEqual([
      { active: [{ fromUs: 0, untilUs: 10_000_000 }], iterations: 3 },
      { active: [{ fromUs: 0, untilUs: 10_000_000 }], iterations: 3 },
    ]);
    expect(described(model)).toBe('2 users one journey after the other, 3 journeys each for 10.0 s');
    expect(described({ ...model, duration: undefined })).toBe('2 users one journey after the other, 3 journeys each');
    expect(described({ ...model, users: 1, iterations: undefined })).toBe(
      '1 user one journey after the other for 10.0 s',
    );
  });
});

describe('ramping-users', () => {
  const usersOf = (model: LoadModel) =>
    loadModelOf(model)
      .users(model)
      .map(({ active }) => active.map(({ fromUs, untilUs }) => [fromUs / 1_000, (untilUs ?? 0) / 1_000]));

  it('lets users join one by one, stay, and leave in the reverse order', () => {
    expect(usersOf(rampingUsers(0, [3, 3_000], [3, 2_000], [0, 3_000]))).toEqual([
      [[0, 8_000]],
      [[1_000, 7_000]],
      [[2_000, 6_000]],
    ]);
  });

  it('brings the same users back', () => {
    expect(usersOf(rampingUsers(2, [0, 0], [0, 1_000], [2, 0], [2, 1_000], [0, 2_000], [3, 3_000]))).toEqual([
      [[1_000, 7_000]],
      [
        [1_000, 3_000],
        [5_000, 7_000],
      ],
      [[6_000, 7_000]],
    ]);
  });

  it('has no users who would join and leave at one instant', () => {
    expect(usersOf(rampingUsers(0, [5, 0], [1, 0], [1, 1_000]))).toEqual([[[0, 1_000]]]);
  });

  it('describes each stage', () => {
    expect(described(rampingUsers(1, [4, 5_000], [4, 2_000], [0, 0]))).toBe(
      'users one journey after the other, from 1 to 4 within 5.00 s, 4 for 2.00 s, at once to 0',
    );
  });

  it('has the interpolated number of users at each instant, rounded up', () => {
    fc.assert(
      fc.property(
        whole(0, 12),
        fc.array(fc.tuple(whole(0, 12), whole(1, 5_000)), { minLength: 1, maxLength: 4 }),
        (from, stages) => {
          const users = usersOf(rampingUsers(from, ...stages));
          let startMs = 0;
          let before = from;
          for (const [to, duration] of stages) {
            const at = startMs + duration / 3;
            const line = before + (to - before) / 3;
            const active = users.filter((times) => times.some(([on = 0, off = 0]) => on <= at && at < off)).length;
            expect(Math.abs(active - line)).toBeLessThanOrEqual(1);
            expect(active).toBeGreaterThanOrEqual(Math.floor(line));
            startMs += duration;
            before = to;
          }
        },
      ),
    );
  });
});

describe('shared-iterations', () => {
  it('limits all users together, not each one', () => {
    const model: LoadModel = {
      model: 'shared-iterations',
      users: 2,
      iterations: 9,
      duration: ms(5_000),
      think: ms(0),
      start,
    };
    expect(loadModelOf(model).users(model)).toEqual([
      { active: [{ fromUs: 0, untilUs: 5_000_000 }] },
      { active: [{ fromUs: 0, untilUs: 5_000_000 }] },
    ]);
    expect(loadModelOf(model).sharedIterations?.(model)).toBe(9);
    expect(described(model)).toBe('2 users with 9 journeys together, none started after 5.00 s');
  });
});

describe('per-user-iterations', () => {
  it('limits each user', () => {
    const model: LoadModel = { model: 'per-user-iterations', users: 1, iterations: 9, think: ms(0), start };
    expect(loadModelOf(model).users(model)).toEqual([{ active: [{ fromUs: 0 }], iterations: 9 }]);
    expect(described(model)).toBe('1 user with 9 journeys each');
    const durationOf = (one: LoadModel) => loadModelOf(one).durationUs(one);
    expect([durationOf(model), durationOf({ ...model, duration: ms(5_000) })]).toEqual([0, 5_000_000]);
  });
});
