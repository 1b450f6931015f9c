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
type Untold = Extract<Percentile, { tooFew: unknown }>;

const BoundsSchema = objectOf<PercentileBounds>(
  'Bounds',
  'The values between which the percentile lies: each end holds by itself with 95 % confidence, whatever the distribution; absent if there are too few samples',
  {
    lowUs: micros('Not below this').optional(),
    highUs: micros('Not above this').optional(),
    method: z
      .enum(['order-statistics', 'batch-means'])
      .describe(
        'order-statistics: exact, if samples are independent; batch-means: wider, because stretches of time differed by more',
      ),
  },
);

const PercentileSchema: z.ZodType<Percentile> = z
  .union([
    memberOf<Known>('Told', {
      us: micros('Value, by nearest rank, 3 significant digits'),
      bounds: BoundsSchema,
    }),
    memberOf<Untold>('Not told: the samples cannot carry it', {
      tooFew: memberOf<Untold['tooFew']>('How many there are, and how many it takes', {
        have: count('Samples'),
        need: count('Samples'),
      }),
    }),
  ])
  .meta({ id: 'Percentile', description: 'A percentile, or why it is not told' });

/** How long something took. */
export const DistributionSchema = objectOf<Distribution>(
  'Distribution',
  'How long something took; absent without samples',
  {
    count: z.int().min(1).describe('Samples'),
    minUs: micros('Lowest, exact'),
    meanUs: micros('Mean'),
    maxUs: micros('Highest, exact'),
    percentiles: z.record(z.enum(percentileNames), PercentileSchema).describe('p999 is the 99.9th'),
  },
);

export const LatencySchema = objectOf<Latency>('Latency', 'The two times of an exchange', {
  service: DistributionSchema.describe('Service time: from sent to the last byte received'),
  response: DistributionSchema.describe('Response time: from the intended instant to the last byte received'),
});

/** A distribution that is absent without samples. */
export const distribution = (description: string) => DistributionSchema.describe(description).optional();
