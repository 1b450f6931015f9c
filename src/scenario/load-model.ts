import { z } from 'zod';
import { DurationText, LatencyDistribution, RateText } from '../api/index.ts';
import { PositiveDuration } from './values.ts';

const common = {
  journeys: z.array(z.string()).min(1).optional().describe('Only these journeys; default all, by weight.'),
  start: DurationText.prefault('0').describe('After the start of the phase.'),
};

export const ConstantRate = z.strictObject({
  ...common,
  model: z.literal('constant-rate'),
  rate: RateText,
  duration: PositiveDuration,
});
export const BurstLoad = z.strictObject({
  ...common,
  model: z.literal('burst'),
  count: z.int().min(1).max(1_000_000).describe('Arrivals.'),
  gap: DurationText.prefault('0').describe('Time between two arrivals; 0 starts all at once.'),
});
export const ClosedUsers = z.strictObject({
  ...common,
  model: z.literal('closed-users'),
  users: z.int().min(1).max(100_000).describe('Users that each start a journey when their last one ended.'),
  duration: PositiveDuration.optional().describe('No journey starts after this.'),
  iterations: z.int().min(1).optional().describe('Journeys per user; give it, or duration, or both.'),
  think: z.union([DurationText, LatencyDistribution]).prefault('0').describe('Pause between two journeys of a user.'),
});

/** A load model decides when arrivals come. */
export const LoadModel = z
  .discriminatedUnion('model', [ConstantRate, BurstLoad, ClosedUsers])
  .superRefine((load, context) => {
    if (load.model === 'closed-users' && load.duration === undefined && load.iterations === undefined) {
      context.addIssue({
        code: 'custom',
        message: 'closed-users needs duration or iterations; write for example iterations: 10',
      });
    }
  });
export type LoadModel = z.infer<typeof LoadModel>;
