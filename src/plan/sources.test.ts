import { describe, expect, it } from 'vitest';
import { type ScenarioInput, ScenarioSchema } from '../scenario/index.ts';
import { compilePlan } from './index.ts';

type PhaseInput = NonNullable<ScenarioInput['phases']>[number];

describe('what lies at the end of its phase or after it', () => {
  const told = (duration: string | undefined, load: PhaseInput['load']) => {
    const phase = { name: 'only', load, ...(duration !== undefined && { duration }) };
    const journeys = { a: { steps: [{ issueToken: {} }] } };
    const plan = compilePlan(ScenarioSchema.parse({ name: 'plan', journeys, phases: [phase] }));
    return [plan.arrivalCount + plan.loops.length, plan.phases[0]?.load[0]];
  };
  const burst = { model: 'burst', count: 5, gap: '1s' } as const;

  it('is left out, and the plan says so', () => {
    const cut = ', cut off with its phase after 4.00 s';
    expect(told('4s', burst)).toEqual([4, `5, 1.00 s apart${cut}`]);
    expect(told('4s', { model: 'burst', count: 20, start: '4s' })).toEqual([
      0,
      `20 at once, beginning after 4.00 s${cut}`,
    ]);
    expect(told('4s', { model: 'per-user-iterations', users: 2, iterations: 3, start: '4s' })).toEqual([
      0,
      `2 users with 3 journeys each, beginning after 4.00 s${cut}`,
    ]);
  });

  it('is nothing if all of it comes before', () => {
    expect(told('4001ms', burst)).toEqual([5, '5, 1.00 s apart']);
    expect(told(undefined, burst)).toEqual([5, '5, 1.00 s apart']);
    expect(told(undefined, { ...burst, start: '4s' })).toEqual([5, '5, 1.00 s apart, beginning after 4.00 s']);
    expect(told('4s', { model: 'constant-rate', rate: '1/s', duration: '4s' })).toEqual([4, '1 per second for 4.00 s']);
    expect(told('4s', { model: 'closed-users', users: 2, duration: '4s' })).toEqual([
      2,
      '2 users one journey after the other for 4.00 s',
    ]);
  });
});
