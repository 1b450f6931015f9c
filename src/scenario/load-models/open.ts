import { z } from 'zod';
import { DurationText, RateText, timed } from '../../api/index.ts';
import { PositiveDuration, RateOrZero } from '../schema/values.ts';
import { open } from './common.ts';

/*
 * Open load models: arrivals come whether or not the service keeps up.
 */

export const ConstantRate = z.strictObject({
  ...open,
  model: z.literal('constant-rate').describe('Arrivals at equal distances.'),
  rate: RateText,
  duration: PositiveDuration,
});

export const RampingRate = z.strictObject({
  ...open,
  model: z.literal('ramping-rate').describe('A rate that changes linearly, stage by stage.'),
  from: RateOrZero.prefault('0/s').describe('The rate at the start.'),
  stages: z
    .array(
      z.strictObject({
        to: RateOrZero.describe('The rate at its end.'),
        duration: DurationText.describe(
          'How long the change takes; 0 changes at once. To hold a rate, repeat it as the next stage.',
        ),
      }),
    )
    .min(1)
    .describe('Stages in sequence; within each the rate changes linearly.'),
});

export const Steps = z.strictObject({
  ...open,
  model: z.literal('steps').describe('A staircase of rates.'),
  from: RateText.describe('The rate of the first step.'),
  by: RateText.describe('What each step adds.'),
  steps: z
    .int()
    .min(1)
    .max(10_000)
    .describe('Number of steps, the first one included. Summaries and gates call them stair-1, stair-2, …'),
  each: PositiveDuration.describe('Length of each step.'),
});

export const Spike = z.strictObject({
  ...open,
  model: z.literal('spike').describe('A base rate, a peak, and the base rate again.'),
  base: RateOrZero.prefault('0/s').describe('The rate before and after.'),
  peak: RateText.describe('The rate at the top.'),
  before: DurationText.prefault('0').describe('Time at the base rate before the spike.'),
  ramp: DurationText.prefault('0').describe('Time from the base to the peak, and down again; 0 changes at once.'),
  hold: PositiveDuration.describe('Time at the peak.'),
  after: DurationText.prefault('0').describe('Time at the base rate after the spike, to see the service recover.'),
});

export const Poisson = z.strictObject({
  ...open,
  model: z.literal('poisson').describe('Arrivals as from independent users.'),
  rate: RateText.describe('The mean rate; the gaps are exponentially distributed, as with independent users.'),
  duration: PositiveDuration,
});

export const Gamma = z.strictObject({
  ...open,
  model: z.literal('gamma').describe('Arrivals that cluster, or are more even than independent ones.'),
  rate: RateText.describe('The mean rate.'),
  duration: PositiveDuration,
  burstiness: z
    .number()
    .min(0.01)
    .max(1_000)
    .describe(
      "Shape of the gaps, which are gamma distributed: 1 is poisson, below 1 arrivals cluster, above 1 they are more even (the gaps' standard deviation is the mean gap ÷ √burstiness).",
    ),
});

export const BurstLoad = z.strictObject({
  ...open,
  model: z.literal('burst').describe('All at once, or `gap` apart.'),
  count: z.int().min(1).max(1_000_000).describe('Arrivals.'),
  gap: DurationText.prefault('0').describe('Time between two arrivals; 0 starts all at once.'),
});

export const Replay = z.strictObject({
  ...open,
  model: z.literal('replay').describe('The times of a file.'),
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
    .describe(
      'Of a CSV, the column of times: 1.5s, 2026-01-15T09:00:00.250Z, or bare numbers. Instants without a zone are taken as UTC.',
    ),
  unit: z
    .enum(['s', 'ms', 'us'])
    .optional()
    .describe('Unit of bare numbers. Absent: ms or us if the name of the column ends in _ms or _us; otherwise s.'),
  speed: z
    .number()
    .positive()
    .max(1_000_000)
    .register(timed, { change: 'divide' })
    .default(1)
    .describe('Replay speed: 2 takes half the time.'),
});

export const PacedToLimits = z.strictObject({
  ...open,
  model: z
    .literal('paced-to-limits')
    .describe('As many journeys as the declared limits allow, polls and processing time included.'),
  duration: PositiveDuration,
  share: z.number().gt(0).max(1).default(1).describe('Share of each declared limit to use.'),
  turnsWithin: z
    .number()
    .gt(0)
    .lt(1)
    .default(0.99)
    .describe('Pacing assumes turns as long as this quantile of their assumed durations.'),
});
