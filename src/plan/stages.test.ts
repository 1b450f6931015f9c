import { describe, expect, it } from 'vitest';
import { type ScenarioInput, ScenarioSchema } from '../scenario/index.ts';
import { allStagesOf, compilePlan, MOST_STAGES, stagesOf } from './index.ts';

const stairs = { model: 'steps', from: '10/min', by: '10/min', steps: 3, each: '30s' } as const;
const steady = { model: 'constant-rate', rate: '6/min', duration: '90s' } as const;

function scenarioOf(rest: Partial<ScenarioInput>) {
  return ScenarioSchema.parse({ name: 'stages', journeys: { a: { steps: [{ issueToken: {} }] } }, ...rest });
}

/** Name, start and end in seconds, and the planned load at both. */
const told = (rest: Partial<ScenarioInput>) =>
  stagesOf(scenarioOf(rest)).map(({ name, fromUs, toUs, arrivalsPerMinute: rate, users }) => [
    name,
    fromUs / 1e6,
    toUs / 1e6,
    ...(rate ? [rate.from, rate.to] : []),
    ...(users ? [`${users.from} to ${users.to} users`] : []),
  ]);

describe('the stages of a plan', () => {
  it('are the stairs, with the rate of each', () => {
    expect(told({ load: stairs })).toEqual([
      ['stair-1', 0, 30, 10, 10],
      ['stair-2', 30, 60, 20, 20],
      ['stair-3', 60, 90, 30, 30],
    ]);
    expect(compilePlan(scenarioOf({ load: stairs })).stages).toEqual(stagesOf(scenarioOf({ load: stairs })));
  });

  it('are the ramps with their number in the file, without those of zero length', () => {
    const stages = [
      { to: '20/min', duration: '10s' },
      { to: '60/min', duration: '0' },
      { to: '60/min', duration: '20s' },
    ];
    expect(told({ load: { model: 'ramping-rate', from: '10/min', stages } })).toEqual([
      ['stage-1', 0, 10, 10, 20],
      ['stage-3', 10, 30, 60, 60],
    ]);
    const users = { model: 'ramping-users', from: 1, stages: [4, 2].map((to) => ({ to, duration: '5s' })) } as const;
    expect(told({ load: users })).toEqual([
      ['stage-1', 0, 5, '1 to 4 users'],
      ['stage-2', 5, 10, '4 to 2 users'],
    ]);
  });

  it('are the parts of a spike that have a length', () => {
    const spike = { model: 'spike', base: '6/min', peak: '1/s', hold: '5s', after: '10s', ramp: '2s' } as const;
    expect(told({ load: spike })).toEqual([
      ['ramp-up', 0, 2, 6, 60],
      ['peak', 2, 7, 60, 60],
      ['ramp-down', 7, 9, 60, 6],
      ['after', 9, 19, 6, 6],
    ]);
  });

  it('are phases, divided into the parts of their load models', () => {
    const phases = [
      { name: 'quiet', load: [steady] },
      { name: 'climb', load: [stairs], duration: '45s' },
      { name: 'all at once', load: [{ model: 'burst', count: 5 } as const] },
    ];
    expect(told({ phases })).toEqual([
      ['quiet', 0, 90, 6, 6],
      ['climb.stair-1', 90, 120, 10, 10],
      ['climb.stair-2', 120, 135, 20, 20],
      ['all at once', 135, 135],
    ]);
  });

  it('begin with the phases without a planned length that precede them', () => {
    const users = { name: 'users', load: { model: 'closed-users', users: 2, iterations: 5 } } as const;
    const [quiet, climb] = [
      { name: 'quiet', load: steady },
      { name: 'climb', load: stairs, duration: '30s' },
    ];
    expect(told({ phases: [users, quiet, users, climb] })).toEqual([
      ['quiet', 0, 90, 6, 6],
      ['climb', 90, 120, 10, 10],
    ]);
  });

  it('of parallel load models have the sum of their loads', () => {
    expect(told({ load: [steady, stairs] })).toEqual([
      ['stair-1', 0, 30, 16, 16],
      ['stair-2', 30, 60, 26, 26],
      ['stair-3', 60, 90, 36, 36],
    ]);
    expect(told({ load: [{ ...steady, rate: '1234.5/min' }, stairs] })[0]).toEqual([
      'stair-1',
      0,
      30,
      1_244.5,
      1_244.5,
    ]);
    const later = { ...stairs, start: '10s' } as const;
    expect(told({ load: [later, { model: 'closed-users', users: 2, duration: '100s' }] })).toEqual([
      ['part-1', 0, 10, '2 to 2 users'],
      ['stair-1', 10, 40, 10, 10, '2 to 2 users'],
      ['stair-2', 40, 70, 20, 20, '2 to 2 users'],
      ['stair-3', 70, 100, 30, 30, '2 to 2 users'],
    ]);
  });

  it('of several models with stages start wherever one of the models changes', () => {
    const ramp = { model: 'ramping-rate', stages: [15, 75].map((s) => ({ to: '60/min', duration: `${s}s` })) } as const;
    expect(told({ load: [stairs, ramp] })).toEqual([
      ['part-1', 0, 15, 10, 70],
      ['part-2', 15, 30, 70, 70],
      ['part-3', 30, 60, 80, 80],
      ['part-4', 60, 90, 90, 90],
    ]);
  });

  it('have no rate if a parallel model has none, or starts or ends within the stage', () => {
    expect(told({ load: [stairs, { model: 'burst', count: 3 }] })[0]).toEqual(['stair-1', 0, 30]);
    expect(told({ load: [stairs, { ...steady, duration: '40s' }] })).toEqual([
      ['stair-1', 0, 30, 16, 16],
      ['stair-2', 30, 60],
      ['stair-3', 60, 90, 30, 30],
    ]);
    const users = { model: 'closed-users', users: 2 } as const;
    expect(told({ load: [stairs, { ...users, duration: '90s' }, { ...users, iterations: 5 }] })[0]).toEqual([
      'stair-1',
      0,
      30,
      10,
      10,
    ]);
    expect(told({ load: [stairs, { ...steady, start: '40s', duration: '50s' }] })).toEqual([
      ['stair-1', 0, 30, 10, 10],
      ['stair-2', 30, 60],
      ['stair-3', 60, 90, 36, 36],
    ]);
  });

  it('have the load of a parallel model from the stage at whose start it begins to the stage at whose end it ends', () => {
    expect(told({ load: [stairs, { ...steady, start: '30s', duration: '30s' }] })).toEqual([
      ['stair-1', 0, 30, 10, 10],
      ['stair-2', 30, 60, 26, 26],
      ['stair-3', 60, 90, 30, 30],
    ]);
  });

  it('are empty if there is only one, or more than a hundred', () => {
    expect(told({ load: steady })).toEqual([]);
    expect(told({ load: { ...stairs, steps: 1 } })).toEqual([]);
    expect(told({ load: { ...stairs, steps: 100 } })).toHaveLength(100);
    const many = scenarioOf({ load: { ...stairs, steps: 101 } });
    expect([stagesOf(many), allStagesOf(many).length, MOST_STAGES]).toEqual([[], 101, 100]);
  });

  it('have distinct names, whatever the names of phases', () => {
    const phases = ['climb', 'climb.stair-2'].map((name, p) => ({ name, load: p === 0 ? [stairs] : [steady] }));
    const third = { name: 'climb.stair-2-2', load: [steady] };
    expect(told({ phases: [...phases, third] }).at(-1)?.[0]).toBe('climb.stair-2-2-2');
    expect(told({ phases: [third, ...phases] }).at(-1)?.[0]).toBe('climb.stair-2-3');
    expect(told({ phases }).map(([name]) => name)).toEqual([
      'climb.stair-1',
      'climb.stair-2',
      'climb.stair-3',
      'climb.stair-2-2',
    ]);
  });
});
