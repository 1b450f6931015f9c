import { z } from 'zod';
import type { Bottleneck, GeneratorHealth } from '../../collect/index.ts';
import { DistributionSchema, distribution } from './distribution.ts';
import { count, flag, micros, objectOf, share, text } from './parts.ts';

const BottleneckSchema = z.discriminatedUnion('what', [
  z.strictObject({
    what: z.literal('lag'),
    percentile: z.enum(['p50', 'p99']).describe('Percentile that was compared'),
    us: micros('How late requests left'),
    allowedUs: micros('Allowed'),
  }),
  z.strictObject({
    what: z.literal('event-loop'),
    us: micros('Typical delay of the event loop'),
    allowedUs: micros('Allowed'),
  }),
  z.strictObject({
    what: z.literal('standstill'),
    us: micros('How long answers waited on average until the event loop read them'),
    allowedUs: micros('Allowed'),
  }),
  z.strictObject({
    what: z.literal('late-reads'),
    count: count("Answers of which more than half of the measured time may be the generator's"),
    of: count('Answers'),
    allowedShare: share('Allowed'),
  }),
  z.strictObject({
    what: z.literal('late-drops'),
    count: count('Arrivals dropped as late'),
    of: count('Arrivals'),
    allowedShare: share('Allowed'),
  }),
  z.strictObject({
    what: z.literal('local-failure'),
    failure: text('Its code'),
    count: count('Requests'),
  }),
]) satisfies z.ZodType<Bottleneck>;

export const HealthSchema = objectOf<GeneratorHealth>('Health', 'Health of the generator', {
  intervals: count('Health records'),
  bottlenecks: z
    .array(BottleneckSchema)
    .describe('Where the generator, not the service, determined the result; absent if the history has no thresholds')
    .optional(),
  enforced: flag('Whether a run with bottlenecks is invalid').optional(),
  eventLoopTypicalUs: micros(
    "Median of the intervals' median event-loop delays; with several workers, of the worst one",
  ).optional(),
  eventLoopWaitUs: micros(
    'How long an answer that arrives at any instant waits on average until the event loop reads it; with several workers, at the worst one; absent if it was watched for less than three seconds',
  ).optional(),
  eventLoopP99MaxUs: micros("Highest 99th percentile of the event loop's delay in one interval").optional(),
  eventLoopMaxUs: micros('Longest delay of the event loop: how long the generator stood still at most').optional(),
  lateReads: objectOf<NonNullable<GeneratorHealth['lateReads']>>(
    'LateReads',
    'Answers and failures that may have been there before they were read, because the generator stood still; absent: none',
    {
      count: count('How many'),
      decisive: count(
        'Those of which that may be more than the allowed delay of the event loop and more than the rest of the measured time',
      ),
      of: count('Of how many'),
      maxUs: micros('By up to'),
    },
  ).optional(),
  cpuShareMean: share('Mean CPU time divided by wall time, for one worker; 1 is one core fully used').optional(),
  cpuShareMax: share('The same for the highest interval of half a second or more; absent without one').optional(),
  gcUs: micros('Total time of garbage collection').optional(),
  gcMaxUs: micros('Longest pause of garbage collection').optional(),
  backlogMax: count('Maximum number of records not yet on disk').optional(),
  connectionQueueMax: count('Maximum number of requests that waited for a free connection at once').optional(),
  unasked: count('Connections closed because bytes arrived that no request had asked for; absent if none').optional(),
  scheduleLag: distribution('How late the generator itself sent, as the metric schedule_lag'),
  workers: count('Workers that sent; absent for one').optional(),
  worstLag: objectOf<NonNullable<GeneratorHealth['worstLag']>>(
    'WorstLag',
    'With several workers, the one with the highest average lag',
    { worker: count('The worker'), scheduleLag: DistributionSchema.describe('As scheduleLag, for its requests') },
  ).optional(),
});
