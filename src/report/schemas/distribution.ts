import { z } from 'zod';
import {
  type Distribution,
  type Latency,
  type Percentile,
  type PercentileBounds,
  percentileNames,
} from '../../collect/index.ts';
import { count, memberOf, micros, objectOf } from './parts.ts';

type Known = Extract<Percentile, { us: unknown }>;
type Unknown = Extract<Percentile, { tooFew: unknown }>;

const BoundsSchema = objectOf<PercentileBounds>(
  'Bounds',
  'Bounds of the percentile, each with 95 % confidence, for any distribution; an end is absent if the samples do not bound it',
  {
    lowUs: micros('Not below this').optional(),
    highUs: micros('Not above this').optional(),
    method: z
      .enum(['order-statistics', 'batch-means'])
      .describe(
        'order-statistics: exact if samples are independent; batch-means: wider, because latency varied over time',
      ),
  },
);

const PercentileSchema: z.ZodType<Percentile> = z
  .union([
    memberOf<Known>('Known', {
      us: micros(
        'The sample of rank ⌈p × count⌉, rounded up to the end of its bucket of the histogram: at most 0.1 % above, and never above the maximum',
      ),
      bounds: BoundsSchema,
    }),
    memberOf<Unknown>('Unknown: there are too few samples', {
      tooFew: memberOf<Unknown['tooFew']>('Numbers of samples', {
        have: count('Number of samples'),
        need: count('Number of samples that the percentile needs'),
      }),
    }),
  ])
  .meta({ id: 'Percentile', description: 'A percentile, or the number of samples that it needs' });

export const DistributionSchema = objectOf<Distribution>(
  'Distribution',
  'Distribution of durations; absent without samples',
  {
    count: z.int().min(1).describe('Number of samples'),
    minUs: micros('Lowest, exact'),
    meanUs: micros('Mean of the exact values, rounded'),
    maxUs: micros('Highest, exact'),
    percentiles: z.record(z.enum(percentileNames), PercentileSchema).describe('p999 is the 99.9th'),
  },
);

export const LatencySchema = objectOf<Latency>('Latency', 'The two times of an exchange', {
  service: DistributionSchema.describe('Service time: from sending to the last byte received'),
  response: DistributionSchema.describe('Response time: from the intended instant to the last byte received'),
});

/** A distribution that is absent without samples. */
export const distribution = (description: string) => DistributionSchema.describe(description).optional();
