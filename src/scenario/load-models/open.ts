import { z } from 'zod';
import { DurationText, RateText } from '../../api/index.ts';
import { PositiveDuration, RateOrZero } from '../values.ts';
import { open } from './common.ts';

/*
 * Load models whose arrivals come whether or not the service keeps up.
 */

export const ConstantRate = z.strictObject({
  ...open,
  model: z.literal('constant-rate'),
  rate: RateText,
  duration: PositiveDuration,
});

export const RampingRate = z.strictObject({
  ...open,
  model: z.literal('ramping-rate'),
  from: RateOrZero.prefault('0/s').describe('The rate at the start.'),
  stages: z
    .array(
      z.strictObject({
        to: RateOrZero.describe('The rate at its end.'),
        duration: DurationText.describe('How long the change takes; 0 jumps. The rate of the stage before holds it.'),
      }),
    )
    .min(1)
    .describe('One after the other; within each the rate changes evenly.'),
});

export const Steps = z.strictObject({
  ...open,
  model: z.literal('steps'),
  from: RateText.describe('The rate of the first step.'),
  by: RateText.describe('What each step adds.'),
  steps: z
    .int()
    .min(1)
    .max(10_000)
    .describe('How many there are, the first one included. Summaries and gates call them stair-1, stair-2, …'),
  each: PositiveDuration.describe('How long each lasts.'),
});

export const Spike = z.strictObject({
  ...open,
  model: z.literal('spike'),
  base: RateOrZero.prefault('0/s').describe('The rate before and after.'),
  peak: RateText.describe('The rate at the top.'),
  before: DurationText.prefault('0').describe('Time at the base before it.'),
  ramp: DurationText.prefault('0').describe('Time from the base to the peak, and the same down again; 0 jumps.'),
  hold: PositiveDuration.describe('Time at the peak.'),
  after: DurationText.prefault('0').describe('Time at the base after it, to see the service recover.'),
});

export const Poisson = z.strictObject({
  ...open,
  model: z.literal('poisson'),
  rate: RateText.describe('The mean rate; the gaps are exponential, as of users who know nothing of each other.'),
  duration: PositiveDuration,
});

export const Gamma = z.strictObject({
  ...open,
  model: z.literal('gamma'),
  rate: RateText.describe('The mean rate.'),
  duration: PositiveDuration,
  burstiness: z
    .number()
    .min(0.01)
    .max(1_000)
    .describe(
      'Shape of the gaps, which are gamma distributed: 1 is poisson, below 1 they bunch, above 1 they even out (their standard deviation is the mean gap ÷ √burstiness).',
    ),
});

export const BurstLoad = z.strictObject({
  ...open,
  model: z.literal('burst'),
  count: z.int().min(1).max(1_000_000).describe('Arrivals.'),
  gap: DurationText.prefault('0').describe('Time between two arrivals; 0 starts all at once.'),
});

export const Replay = z.strictObject({
  ...open,
  model: z.literal('replay'),
  file: z
    .string()
    .min(1)
    .describe(
      'Beside this file: a CSV with a header line, or the history.ndjson of an earlier run. Its first time is the start.',
    ),
  column: z
    .string()
    .min(1)
    .default('at')
    .describe('Of a CSV, the column of times: 1.5s, 2026-01-15T09:00:00.250Z, or bare numbers.'),
  unit: z.enum(['s', 'ms', 'us']).default('s').describe('Unit of bare numbers.'),
  speed: z.number().positive().max(1_000_000).default(1).describe('2 takes half the time.'),
});

export const PacedToLimits = z.strictObject({
  ...open,
  model: z.literal('paced-to-limits'),
  duration: PositiveDuration,
  share: z.number().gt(0).max(1).default(1).describe('Of what each declared limit allows.'),
  turnsWithin: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.99)
    .describe('Polls and processings are paced for turns as long as this share of them does not exceed.'),
});
