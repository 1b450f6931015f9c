import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../base/index.ts';
import { compilePlan } from '../../plan/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { loadedFrom } from '../../testing/virtual.ts';
import { checkWorkers } from './check.ts';
import { connectionsOf } from './orders.ts';

describe('connections', () => {
  it('are divided among the workers, at least one for each', () => {
    const shared = (all: number, workers: number) =>
      Array.from({ length: workers }, (_, index) => connectionsOf(all, { worker: index + 1, workers }));
    expect(shared(50, 2)).toEqual([25, 25]);
    expect(shared(10, 4)).toEqual([3, 3, 2, 2]);
    expect(shared(2, 3)).toEqual([1, 1, 1]);
    expect(shared(7, 1)).toEqual([7]);
  });
});

const steps = [{ createConversation: {} }];

/** Problems of running a scenario with this many workers, each in one line. */
function problemsOf(workers: number, scenario: Omit<ScenarioInput, 'name'>): readonly string[] {
  const loaded = loadedFrom(scenario);
  try {
    checkWorkers(workers, loaded, compilePlan(loaded.scenario));
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(({ message, hint }) => `${message}; ${hint}`);
  }
}

describe('a number of workers', () => {
  const burst = (users: number, count: number) => ({
    users,
    journeys: { a: { steps } },
    load: { model: 'burst' as const, count },
  });

  it('is refused if one of them would have nothing to do', () => {
    expect(problemsOf(4, burst(4, 40))).toEqual([]);
    expect(problemsOf(5, burst(4, 40))).toEqual([expect.stringContaining('only 4 would have')]);
    expect(problemsOf(5, burst(4, 40))[0]).toContain('write --workers 4');
    expect(problemsOf(4, burst(10, 3))[0]).toContain('write --workers 3');
    expect(problemsOf(2, burst(1, 3))[0]).toContain('leave it out');
    expect(problemsOf(1, burst(1, 1))).toEqual([]);
    const closed = (users: number) => ({
      users: 10,
      journeys: { a: { steps } },
      load: { model: 'closed-users' as const, users, duration: '1s' as const },
    });
    expect(problemsOf(3, closed(3))).toEqual([]);
    expect(problemsOf(4, closed(3))[0]).toContain('write --workers 3');
  });

  it('is not to blame if the plan has no arrivals, as by chance', () => {
    const rare = { ...burst(4, 1), load: { model: 'poisson' as const, rate: '1/h' as const, duration: '1s' as const } };
    expect(problemsOf(2, rare)).toEqual([]);
  });

  it('is held against the users who take part', () => {
    const only = (...onlyUsers: readonly string[]) => ({ ...burst(10, 40).load, onlyUsers: [...onlyUsers] });
    const of = (...load: ReturnType<typeof only>[]) => ({ ...burst(10, 40), load });
    expect(problemsOf(2, of(only('u1', 'u6')))).toEqual([]);
    const idle = (workers: number, busy: string, hint: string) =>
      `of ${workers} workers only ${busy} would have anything to do: each user belongs to one worker, dealt out in turn; ${hint}`;
    const odd = of(only('u1', 'u3', 'u5'));
    expect(problemsOf(2, odd)).toEqual([idle(2, 'one', 'write --workers 3, or let more users take part')]);
    expect(problemsOf(4, odd)).toEqual([idle(4, '2', 'write --workers 3, or let more users take part')]);
    expect(problemsOf(2, of(only('u1', 'u3')))).toEqual([idle(2, 'one', 'leave it out, or let more users take part')]);
    const every = Array.from({ length: 128 }, (_, index) => `u${index * 2 + 1}`);
    expect(problemsOf(128, { ...of({ ...only(...every), count: 128 }), users: 256 })).toEqual([
      idle(128, '64', 'write --workers 127, or let more users take part'),
    ]);
    expect(problemsOf(3, of(only('u1', 'u3', 'u5')))).toEqual([]);
    // One arrival of the sixth user beside a loop of the first.
    const loop = { model: 'closed-users' as const, users: 1, iterations: 1, onlyUsers: ['u1'] };
    expect(problemsOf(2, { ...burst(10, 1), load: [{ ...only('u6'), count: 1 }, loop] })).toEqual([]);
  });

  it('is refused for a load model with noCatchUp', () => {
    const load = { model: 'constant-rate' as const, rate: '10/s' as const, duration: '1s' as const, noCatchUp: true };
    const ceiling = { users: 4, journeys: { a: { steps } }, load };
    expect(problemsOf(2, ceiling)).toEqual([expect.stringContaining('noCatchUp')]);
    expect(problemsOf(1, ceiling)).toEqual([]);
    const { load: _, ...rest } = ceiling;
    expect(problemsOf(2, { ...rest, phases: [{ name: 'p', load: [load] }] })).toHaveLength(1);
  });
});
