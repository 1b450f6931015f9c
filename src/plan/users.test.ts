import { describe, expect, it } from 'vitest';
import type { ScenarioInput } from '../scenario/index.ts';
import { listed, planOf } from './planned.exam.ts';

describe('compilePlan', () => {
  it('gives the arrivals of a load to its users in turn, if it names some', () => {
    const users = [{ id: 'ann' }, { id: 'bob' }, { id: 'cy' }];
    const burst = (count: number, onlyUsers?: string[]) => ({
      model: 'burst' as const,
      count,
      gap: '1s' as const,
      ...(onlyUsers && { onlyUsers }),
    });
    const usersOf = (rest: Partial<ScenarioInput>) => listed({ users, ...rest }).map(({ user }) => user);
    expect(usersOf({ load: burst(5, ['cy', 'u1']) })).toEqual([2, 0, 2, 0, 2]);
    // The other load's arrivals lie between; of all users, an arrival's index says whose turn it is.
    expect(usersOf({ load: [burst(4, ['bob']), burst(4)] })).toEqual([1, 1, 1, 0, 1, 2, 1, 1]);
    const looping = planOf({
      users: 5,
      load: { model: 'closed-users', users: 4, iterations: 1, onlyUsers: ['u5', 'u2'] },
    });
    expect(looping.loops.map(({ user }) => user)).toEqual([4, 1, 4, 1]);
    const closed = { model: 'closed-users' as const, iterations: 1, onlyUsers: ['u5', 'u2'] };
    const both = planOf({
      users: 5,
      load: [
        { ...closed, users: 1 },
        { ...closed, users: 2 },
      ],
    });
    expect(both.loops.map(({ user }) => user)).toEqual([4, 4, 1]);
    const mixed = planOf({ users, load: [burst(4, ['bob']), burst(4)] });
    expect([0, 1].map((part) => [...mixed.segment({ part, of: 2 }).arrivals()].length)).toEqual([2, 6]);
    expect(planOf({ users, load: burst(9, ['ann', 'bob', 'cy', 'u1', 'u2']) }).phases[0]?.load).toEqual([
      '9, 1.00 s apart, only ann, bob, cy and 2 more',
    ]);
    expect(planOf({ users, load: burst(9, ['ann', 'bob', 'cy']) }).phases[0]?.load).toEqual([
      '9, 1.00 s apart, only ann, bob, cy',
    ]);
  });

  it('finds 100,000 named users among 100,000 listed ones', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `ann-${index}`);
    const load = { model: 'burst', count: 3, onlyUsers: ids.toReversed() } as const;
    const arrivals = listed({ users: ids.map((id) => ({ id })), load });
    expect(arrivals.map(({ user }) => user)).toEqual([99_999, 99_998, 99_997]);
  });

  it('takes users in turn', () => {
    expect(listed({ users: 3, load: { model: 'burst', count: 5 } }).map(({ user }) => user)).toEqual([0, 1, 2, 0, 1]);
  });
});
