import { describe, expect, it } from 'vitest';
import type { Micros } from '../base/index.ts';
import { arrivalOfLoop } from './index.ts';
import { planOf } from './planned.exam.ts';

describe('compilePlan', () => {
  it('numbers the iterations of loops after the planned arrivals, and keeps each loop’s user', () => {
    const plan = planOf({
      users: 2,
      load: [
        { model: 'burst', count: 3 },
        { model: 'closed-users', users: 2, iterations: 2 },
        { model: 'closed-users', users: 1, duration: '5s', start: '1s' },
      ],
    });
    expect(
      plan.loops.map(({ firstIndex, indexStep, user, active, iterations }) => ({
        firstIndex,
        indexStep,
        user,
        active,
        iterations,
      })),
    ).toEqual([
      { firstIndex: 3, indexStep: 3, user: 0, active: [{ fromUs: 0 }], iterations: 2 },
      { firstIndex: 4, indexStep: 3, user: 1, active: [{ fromUs: 0 }], iterations: 2 },
      {
        firstIndex: 5,
        indexStep: 3,
        user: 0,
        active: [{ fromUs: 1_000_000, untilUs: 6_000_000 }],
        iterations: undefined,
      },
    ]);
    const indices = plan.loops.flatMap((loop) =>
      [0, 1, 2].map((iteration) => arrivalOfLoop(loop, iteration, 0 as Micros).index),
    );
    expect([...indices].sort((a, b) => a - b)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
    const four = { model: 'closed-users', users: 4, iterations: 1 } as const;
    const inTurn = planOf({ users: 3, load: [{ model: 'burst', count: 1 }, four] });
    expect(inTurn.loops.map(({ user }) => user)).toEqual([0, 1, 2, 0]);
    const [first] = plan.loops;
    expect(first && [0, 1, 2].map((iteration) => arrivalOfLoop(first, iteration, 0 as Micros).user)).toEqual([0, 0, 0]);
  });

  it('numbers shared iterations in turn, and cuts users off at the end of their phase', () => {
    const plan = planOf({
      users: 4,
      phases: [
        {
          name: 'short',
          duration: '5s',
          load: [
            { model: 'shared-iterations', users: 2, iterations: 5 },
            {
              model: 'ramping-users',
              stages: [
                { to: 2, duration: '4s' },
                { to: 2, duration: '4s' },
              ],
            },
          ],
        },
        { name: 'late', load: [{ model: 'per-user-iterations', users: 1, iterations: 7, start: '1s' }] },
      ],
    });
    expect(plan.loops.map(({ phase, user, active, iterations }) => [phase, user, active, iterations])).toEqual([
      ['short', 0, [{ fromUs: 0, untilUs: 5_000_000 }], undefined],
      ['short', 1, [{ fromUs: 0, untilUs: 5_000_000 }], undefined],
      ['short', 2, [{ fromUs: 0, untilUs: 5_000_000 }], undefined],
      ['short', 3, [{ fromUs: 2_000_000, untilUs: 5_000_000 }], undefined],
      ['late', 0, [{ fromUs: 6_000_000 }], 7],
    ]);
    const [one, other] = plan.loops;
    expect([one?.stock, other?.stock]).toEqual([one?.stock, one?.stock]);
    // Five loops: the stock's two users would have the arrivals 0, 5, 10, … and 1, 6, 11, …
    const indices = [0, 1, 2, 3, 4].map((iteration) => one && arrivalOfLoop(one, iteration, 0 as Micros).index);
    expect(indices).toEqual([0, 1, 5, 6, 10]);
    const after = planOf({
      load: [
        { model: 'closed-users', users: 2, iterations: 1 },
        { model: 'shared-iterations', users: 2, iterations: 3 },
      ],
    });
    expect(after.loops[2]?.stock).toEqual({ number: 1, iterations: 3, firstIndex: 2, users: 2 });
  });
});
