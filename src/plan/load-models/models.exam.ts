import fc from 'fast-check';
import type { Micros, Millis, PerSecond } from '../../base/index.ts';
import type { Allowance, LoadModel } from '../../scenario/index.ts';
import { loadModelOf } from './index.ts';

/** Load models for tests, and what they plan. */

export type Of<Name extends LoadModel['model']> = Extract<LoadModel, { model: Name }>;

export const ms = (value: number) => value as Millis;
export const perSecond = (value: number) => value as PerSecond;
export const start = ms(0);
export const whole = (min: number, max: number) => fc.integer({ min, max });
export const offsets = (model: LoadModel, seed = 1) => [...loadModelOf(model).arrivals(model, seed)];
export const counted = (model: LoadModel, seed = 1) => loadModelOf(model).count(model, seed);
export const described = (model: LoadModel) => loadModelOf(model).describe(model);

export const constantRate = (rate: number, duration: number): Of<'constant-rate'> => ({
  model: 'constant-rate',
  rate: perSecond(rate),
  duration: ms(duration),
  start,
});

export const rampingRate = (from: number, ...stages: (readonly [number, number])[]): Of<'ramping-rate'> => ({
  model: 'ramping-rate',
  from: perSecond(from),
  stages: stages.map(([to, duration]) => ({ to: perSecond(to), duration: ms(duration) })),
  start,
});

export const steps = (from: number, by: number, count: number, each: number): Of<'steps'> => ({
  model: 'steps',
  from: perSecond(from),
  by: perSecond(by),
  steps: count,
  each: ms(each),
  start,
});

export const spike = (
  parts: Partial<Record<'base' | 'peak' | 'before' | 'ramp' | 'hold' | 'after', number>>,
): Of<'spike'> =>
  ({ model: 'spike', base: 0, peak: 1, before: 0, ramp: 0, hold: 1_000, after: 0, start, ...parts }) as Of<'spike'>;

export const poisson = (rate: number, duration: number): Of<'poisson'> => ({
  model: 'poisson',
  rate: perSecond(rate),
  duration: ms(duration),
  start,
});

export const gamma = (rate: number, duration: number, burstiness: number): Of<'gamma'> => ({
  model: 'gamma',
  rate: perSecond(rate),
  duration: ms(duration),
  burstiness,
  start,
});

export const burst = (count: number, gapMs: number): LoadModel => ({ model: 'burst', count, gap: ms(gapMs), start });

export const replay = (offsetsUs: readonly number[], speed = 1): Of<'replay'> => ({
  model: 'replay',
  file: 'recorded/times.csv',
  column: 'at',
  speed,
  recording: { offsetsUs: Float64Array.from(offsetsUs) },
  start,
});

export const MINUTE = 60_000_000 as Micros;
export const DAY = 86_400_000_000 as Micros;
export const limits = { rate: { max: 20, windowUs: MINUTE }, concurrency: { max: 2 }, daily: { max: 50, dayUs: DAY } };
export const none = { requests: 0, newMessages: 0, openTurns: 0, openUs: 0 as Micros };

export const paced = (cost: Partial<Allowance['cost']>, duration: number, share = 1): Of<'paced-to-limits'> => ({
  model: 'paced-to-limits',
  duration: ms(duration),
  share,
  turnsWithin: 0.99,
  allowance: { limits, cost: { ...none, ...cost } },
  start,
});

export const rampingUsers = (from: number, ...stages: (readonly [number, number])[]): Of<'ramping-users'> => ({
  model: 'ramping-users',
  from,
  stages: stages.map(([to, duration]) => ({ to, duration: ms(duration) })),
  think: ms(0),
  start,
});
