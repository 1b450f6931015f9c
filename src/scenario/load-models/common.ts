import { z } from 'zod';
import { DurationText, LatencyDistribution } from '../../api/index.ts';
import { PositiveDuration } from '../schema/values.ts';

/** Members of every load model. */
const common = {
  journeys: z.array(z.string()).min(1).optional().describe('Only these journeys; default all, by weight.'),
  onlyUsers: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('Only these users, in turn: ids of listed users, or labels (u1 is the first); default all.'),
  start: DurationText.prefault('0').describe('When the load begins, after the start of the phase.'),
};

/** Members of open load models, whose arrivals do not depend on the service. */
export const open = {
  ...common,
  noCatchUp: z
    .boolean()
    .optional()
    .describe(
      'True: the rate is a ceiling. Late arrivals keep their planned spacing (after a stall at least half of it) or are dropped; they are never sent in a burst. Absent: late arrivals start at once.',
    ),
};

/** Members of closed load models, whose journeys start when others end. */
export const closed = {
  ...common,
  think: z.union([DurationText, LatencyDistribution]).prefault('0').describe('Pause between two journeys of a user.'),
};

export const users = z.int().min(1).max(100_000);
export const journeys = z.int().min(1).max(100_000_000);
export const untilAllAreDone = PositiveDuration.optional().describe(
  'No journey starts after this; absent: until all are done.',
);
